import { decodeTl, encodeTl, TlReader, type TlType, TlWriter } from './tl.ts';

/** `liteServer.waitMasterchainSeqno`: the server responds once it has this block, or fails after the timeout. */
export interface WaitPrefix {
  readonly seqno: number;
  readonly timeoutMs: number;
}

const WAIT_MASTERCHAIN_SEQNO = 0xbaeab892;

export function withWaitPrefix(wait: WaitPrefix, request: Uint8Array): Buffer {
  const writer = new TlWriter();
  writer.uint(WAIT_MASTERCHAIN_SEQNO);
  writer.int(wait.seqno);
  writer.int(wait.timeoutMs);
  writer.raw(request);
  return writer.finish();
}

/** A request and the wait before it, if there is one. Throws TlError. */
export function splitWaitPrefix(bytes: Uint8Array): { wait: WaitPrefix | undefined; request: Buffer } {
  const reader = new TlReader(bytes);
  const hasPrefix = reader.left >= 4 && reader.uint() === WAIT_MASTERCHAIN_SEQNO;
  if (!hasPrefix) return { wait: undefined, request: new TlReader(bytes).rest() };
  const wait = { seqno: reader.int(), timeoutMs: reader.int() };
  return { wait, request: reader.rest() };
}

/** Codes of `liteServer.error`, as nodes use them. */
export const LITE_ERROR_CODES = {
  failure: 601,
  error: 602,
  warning: 603,
  protocolViolation: 621,
  notReady: 651,
  timeout: 652,
  cancelled: 653,
} as const;

export interface LiteErrorResponse {
  readonly code: number;
  readonly message: string;
}

const liteError: TlType<LiteErrorResponse> = {
  name: 'liteServer.error',
  id: 0xbba9e148,
  write(w, error) {
    w.int(error.code);
    w.string(error.message);
  },
  read: (r) => ({ code: r.int(), message: r.string() }),
};

export function encodeLiteError(error: LiteErrorResponse): Buffer {
  return encodeTl(liteError, error);
}

export function decodeLiteError(bytes: Uint8Array): LiteErrorResponse | undefined {
  const isError = bytes.length >= 4 && new TlReader(bytes).uint() === liteError.id;
  return isError ? decodeTl(liteError, bytes) : undefined;
}
