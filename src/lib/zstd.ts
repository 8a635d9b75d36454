import { createZstdDecompress, zstdDecompressSync } from 'node:zlib';

/** What the streams of `node:zlib` consist of; its types leave it out. */
interface Engine {
  readonly _handle: {
    onerror: (message: string) => void;
    writeSync(
      flush: number,
      from: Buffer,
      fromAt: number,
      fromBytes: number,
      to: Buffer,
      toAt: number,
      toBytes: number,
    ): void;
  };
  /** Bytes left of the output and of the input. */
  readonly _writeState: Uint32Array;
  readonly _finishFlushFlag: number;
}

/** Unpacks a frame into bytes that it fills; returns false for any other. */
type Unpack = (frame: Buffer, to: Buffer) => boolean;

/** Larger frames grow as they are unpacked: their sizes may be wrong. */
const MAX_KNOWN_BYTES = 4 * 1024 * 1024;

let unpackInto: Unpack | undefined;

/**
 * Unpacks a frame of zstd. `zstdDecompressSync` makes an object of each call, with a context of 160 kB: for a short page that
 * takes longer than the page. So one is kept, and asked only for frames that say their size. What it does not take is left to
 * `zstdDecompressSync`, and so are its errors.
 */
export function unpackZstd(frame: Buffer): Buffer {
  const bytes = frameBytes(frame);
  if (bytes === undefined || bytes > MAX_KNOWN_BYTES) return zstdDecompressSync(frame);
  unpackInto ??= createUnpack();
  const to = Buffer.allocUnsafe(bytes);
  if (unpackInto(frame, to)) return to;
  // An object that has failed once fails for good.
  unpackInto = undefined;
  return zstdDecompressSync(frame);
}

function createUnpack(): Unpack {
  const {
    _handle: handle,
    _writeState: left,
    _finishFlushFlag: flush,
  } = createZstdDecompress() as unknown as Engine;
  // Another version of Node may not have it.
  if (typeof handle?.writeSync !== 'function' || left?.length !== 2) return () => false;
  let hasFailed = false;
  handle.onerror = () => {
    hasFailed = true;
  };
  return (frame, to) => {
    handle.writeSync(flush, frame, 0, frame.length, to, 0, to.length);
    return !hasFailed && left[0] === 0 && left[1] === 0;
  };
}

const MAGIC = 0xfd2fb528;
const SINGLE_SEGMENT = 0x20;
const HAS_DICTIONARY = 0x03;
const MAX_HEAD_BYTES = 14;

/** Bytes that the size field of a frame may have, by its flag, and what is added to its value. */
const SIZE_FIELDS = [
  [0, 0],
  [2, 256],
  [4, 0],
  [6, 0],
] as const;

/** The size that a frame without a dictionary says it has. */
function frameBytes(frame: Buffer): number | undefined {
  if (frame.length < MAX_HEAD_BYTES || frame.readUInt32LE(0) !== MAGIC) return undefined;
  const flags = frame[4]!;
  if ((flags & HAS_DICTIONARY) !== 0) return undefined;
  const isSingle = (flags & SINGLE_SEGMENT) !== 0;
  const at = isSingle ? 5 : 6;
  const [length, base] = SIZE_FIELDS[flags >> 6]!;
  if (length === 0) return isSingle ? frame[at] : undefined;
  return frame.readUIntLE(at, length) + base;
}
