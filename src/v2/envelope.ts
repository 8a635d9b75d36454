/** `@extra` of answers that no operation had a part in. */
export const NO_EXTRA = '_';

interface ExtraParts {
  readonly unixSeconds: number;
  readonly workers: readonly number[];
  readonly elapsedMs: number;
  readonly cached: boolean;
}

/** `<unix seconds>:<lite servers or _>:<elapsed ms>[:c]`, with at most six significant digits of time. */
export function formatExtra({ unixSeconds, workers, elapsedMs, cached }: ExtraParts): string {
  // Whole microseconds below a second are at most six digits; `toPrecision` is needed from there on.
  const elapsed = elapsedMs < 1000 ? Math.round(elapsedMs * 1000) / 1000 : Number(elapsedMs.toPrecision(6));
  return `${Math.floor(unixSeconds)}:${workers.length === 0 ? '_' : workers.join(',')}:${elapsed}${cached ? ':c' : ''}`;
}

/** Members that a JSON-RPC answer has behind those of the REST envelope; empty for REST. */
export type RpcSuffix = string;

/** A success: `resultJson` is finished JSON. */
export function successBody(resultJson: string, extra: string, rpc: RpcSuffix): string {
  return `{"ok":true,"result":${resultJson},"@extra":"${extra}"${rpc}}`;
}

/** A failure; it never carries a `result`, which some clients would take for data whatever the status. */
export function failureBody(status: number, text: string, extra: string, rpc: RpcSuffix): string {
  return `{"ok":false,"error":${JSON.stringify(text)},"code":${status},"@extra":"${extra}"${rpc}}`;
}
