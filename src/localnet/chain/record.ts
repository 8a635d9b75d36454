import { crc32 } from 'node:zlib';

/** What is done first in a chain's life: the options of its zero states, which are the parts. */
export interface GenesisHead {
  readonly kind: 'genesis';
  readonly version: 1;
  readonly options: GenesisOptions;
}

/** What a chain is made from. */
export interface GenesisOptions {
  /** Unix seconds. */
  readonly now: number;
  readonly shards: 1 | 2 | 4 | 8 | 16;
}

/** One masterchain block: the parts are the shard blocks that come with it, and itself. */
export interface StepHead {
  readonly kind: 'step';
  readonly seqno: number;
  /** Of the masterchain block, in hex. */
  readonly rootHash: string;
  /** The signatures under it as TL in base64. */
  readonly signatures?: string | undefined;
}

/** From here on the chain's clock is that much ahead of the machine's. */
export interface ClockHead {
  readonly kind: 'clock';
  readonly offsetSeconds: number;
}

/** What was to be done before anybody sees the chain is done. Without it the chain is begun again. */
export interface BegunHead {
  readonly kind: 'begun';
}

/** Whole states: each part is the state after the block that is the same part of the step. */
export interface StatesHead {
  readonly kind: 'states';
  readonly seqno: number;
  readonly rootHash: string;
}

export type RecordHead = GenesisHead | StepHead | ClockHead | BegunHead | StatesHead;

/** Where a part of a record lies in its file. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** How each record begins. */
export const MAGIC = Buffer.from('TGL1');
/** Magic, checksum of all that follows, size of the head, size of the body. */
export const FRAME_BYTES = 16;
const MAX_HEAD_BYTES = 2 ** 24;

/** What the first bytes of a record say. */
export interface Frame {
  readonly checksum: number;
  readonly headBytes: number;
  readonly bodyBytes: number;
}

/** A record: its frame, its head as JSON with the sizes of the parts, the parts. */
export function encodeRecord(head: RecordHead, parts: readonly Uint8Array[]): Buffer {
  const text = Buffer.from(JSON.stringify({ ...head, parts: parts.map(({ length }) => length) }));
  const record = Buffer.concat([Buffer.alloc(FRAME_BYTES), text, ...parts]);
  MAGIC.copy(record);
  record.writeUInt32BE(text.length, 8);
  record.writeUInt32BE(record.length - FRAME_BYTES - text.length, 12);
  record.writeUInt32BE(crc32(record.subarray(8)), 4);
  return record;
}

/** Reads a frame; undefined if it is none. */
export function decodeFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < FRAME_BYTES || !bytes.subarray(0, 4).equals(MAGIC)) return undefined;
  const headBytes = bytes.readUInt32BE(8);
  if (headBytes > MAX_HEAD_BYTES) return undefined;
  return { checksum: bytes.readUInt32BE(4), headBytes, bodyBytes: bytes.readUInt32BE(12) };
}

/** The size of a whole record. */
export function recordBytes({ headBytes, bodyBytes }: Frame): number {
  return FRAME_BYTES + headBytes + bodyBytes;
}

/** Reads a whole record; undefined if its checksum is wrong. */
export function decodeRecord(
  record: Buffer,
  frame: Frame,
): { head: RecordHead; sizes: readonly number[] } | undefined {
  if (crc32(record.subarray(8)) !== frame.checksum) return undefined;
  const { parts, ...head } = JSON.parse(record.toString('utf8', FRAME_BYTES, FRAME_BYTES + frame.headBytes));
  return { head, sizes: parts };
}

/** Where the parts are in a record that ends at an offset: they are the last thing in it. */
export function placesOf(end: number, sizes: readonly number[]): Place[] {
  let offset = end - sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((length) => {
    const place = { offset, length };
    offset += length;
    return place;
  });
}
