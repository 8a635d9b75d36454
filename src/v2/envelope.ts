import { type EdgeError, statusOf } from '../http/errors.ts';
import type { Log } from '../lib/log.ts';

/** A finished answer: what goes onto the wire, whichever transport asked. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;
  /** Tag of an answer that can never change. */
  readonly etag: string | undefined;
}

/** What stands around a result or a refusal. */
interface Frame {
  readonly extra: string;
  readonly rpc: RpcSuffix;
}

/** The answer with a result that is finished JSON. */
export function successAnswer(json: string, etag: string | undefined, { extra, rpc }: Frame): Answer {
  return { status: 200, body: successBody(json, extra, rpc), retryAfterSeconds: undefined, etag };
}

/** The answer to an error that the log has heard of, or need not. */
export function refusalAnswer({ status, text, retryAfterSeconds }: EdgeError, { extra, rpc }: Frame): Answer {
  return { status, body: failureBody(status, text, extra, rpc), retryAfterSeconds, etag: undefined };
}

/** The answer to anything thrown; what nobody planned for is logged with its insides. */
export function failureAnswer(
  error: unknown,
  { log, extra = NO_EXTRA, rpc = '' }: { log: Log } & Partial<Frame>,
): Answer {
  return refusalAnswer(logUnexpected(error, log), { extra, rpc });
}

/** What an error becomes at the edge; what nobody planned for is logged with its insides. */
export function logUnexpected(error: unknown, log: Log): EdgeError {
  const edge = statusOf(error);
  if (edge.unexpected) log.error({ err: error }, 'unexpected error');
  return edge;
}

/** `@extra` of answers that no operation had a part in. */
const NO_EXTRA = '_';

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
function successBody(resultJson: string, extra: string, rpc: RpcSuffix): string {
  return `{"ok":true,"result":${resultJson},"@extra":"${extra}"${rpc}}`;
}

/** A failure; it never carries a `result`, which some clients would take for data whatever the status. */
function failureBody(status: number, text: string, extra: string, rpc: RpcSuffix): string {
  return `{"ok":false,"error":${JSON.stringify(text)},"code":${status},"@extra":"${extra}"${rpc}}`;
}
