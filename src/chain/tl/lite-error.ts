import { TlReader } from './tl-reader.ts';
import { decodeTl, encodeTl, type TlType } from './tl-type.ts';

/** `liteServer.error`: the answer to any function that failed. */
export interface LiteErrorAnswer {
  readonly code: number;
  readonly message: string;
}

const liteError: TlType<LiteErrorAnswer> = {
  name: 'liteServer.error',
  id: 0xbba9e148,
  write(w, error) {
    w.int(error.code);
    w.string(error.message);
  },
  read: (r) => ({ code: r.int(), message: r.string() }),
};

/** The answer of a server to a request that failed. */
export function encodeLiteError(error: LiteErrorAnswer): Buffer {
  return encodeTl(liteError, error);
}

/** The error that an answer is, or undefined for any other answer. */
export function decodeLiteError(bytes: Uint8Array): LiteErrorAnswer | undefined {
  const isError = bytes.length >= 4 && new TlReader(bytes).uint() === liteError.id;
  return isError ? decodeTl(liteError, bytes) : undefined;
}
