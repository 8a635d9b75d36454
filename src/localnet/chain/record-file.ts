import { constants, fstatSync, ftruncateSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { StartError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { GenesisOptions } from '../genesis/create-genesis.ts';

export type ChainGenesis = Pick<GenesisOptions, 'now' | 'shards'>;

/** One masterchain block: the parts are its shard blocks and itself. */
export interface StepHead {
  readonly kind: 'step';
  readonly seqno: number;
  /** Hash of the masterchain block, in hex. */
  readonly rootHash: string;
  /** Its signatures as TL in base64. */
  readonly signatures?: string | undefined;
}

export type RecordHead =
  /** First record of a chain: the options of its zero states, which are the parts. */
  | { readonly kind: 'genesis'; readonly version: 1; readonly options: ChainGenesis }
  | StepHead
  /** From here on the chain's clock is ahead of the machine's by this much. */
  | { readonly kind: 'clock'; readonly offsetSeconds: number }
  /** The set-up of the chain has finished. Without this record the chain is started over. */
  | { readonly kind: 'begun' }
  /** Full states: each part is the state after the block in the same position of the step. */
  | { readonly kind: 'states'; readonly seqno: number; readonly rootHash: string };

interface PartLocation {
  readonly offset: number;
  readonly length: number;
}

const MAGIC = Buffer.from('TGL1');
/** Magic, checksum of everything after it, size of the head, size of the body. */
const FRAME_BYTES = 16;
const MAX_HEAD_BYTES = 2 ** 24;

type Frame = NonNullable<ReturnType<typeof decodeFrame>>;

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

/** Reads a frame; undefined if it is not one. */
export function decodeFrame(bytes: Buffer) {
  if (bytes.length < FRAME_BYTES || !bytes.subarray(0, 4).equals(MAGIC)) return undefined;
  const headBytes = bytes.readUInt32BE(8);
  if (headBytes > MAX_HEAD_BYTES) return undefined;
  return { checksum: bytes.readUInt32BE(4), headBytes, bodyBytes: bytes.readUInt32BE(12) };
}

/** Reads a record; undefined if its checksum is wrong. */
export function decodeRecord(record: Buffer, { checksum, headBytes }: Frame) {
  if (crc32(record.subarray(8)) !== checksum) return undefined;
  const { parts, ...head } = JSON.parse(record.toString('utf8', FRAME_BYTES, FRAME_BYTES + headBytes));
  return { head: head as RecordHead, sizes: parts as readonly number[] };
}

/** Positions of the parts in a record that ends at an offset: they come last. */
export function partLocations(end: number, sizes: readonly number[]): PartLocation[] {
  let offset = end - sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((length) => {
    const place = { offset, length };
    offset += length;
    return place;
  });
}

export interface PlacedRecord {
  readonly head: RecordHead;
  readonly parts: readonly PartLocation[];
  readonly start: number;
  readonly end: number;
}

/**
 * An append-only file of records. A record is durable once `append` has resolved; after a crash before that, it is either
 * complete or missing.
 */
export class RecordFile {
  readonly path: string;
  readonly #file: FileHandle;
  #end: number;

  private constructor(path: string, file: FileHandle, end: number) {
    this.path = path;
    this.#file = file;
    this.#end = end;
  }

  /** Opens or creates a file and returns its records. An unfinished record of a killed process is truncated. */
  static async open(path: string, log: Log): Promise<{ file: RecordFile; records: PlacedRecord[] }> {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      const records = [...scan(file.fd, path)];
      const end = records.at(-1)?.end ?? 0;
      const torn = (await file.stat()).size - end;
      if (torn > 0) {
        log.warn({ path, bytes: torn }, 'Unfinished record at the end of the chain file truncated');
        await file.truncate(end);
        await file.sync();
      }
      return { file: new RecordFile(path, file, end), records };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get length(): number {
    return this.#end;
  }

  /** Appends a record; resolves when it is synced to disk. */
  async append(head: RecordHead, parts: readonly Uint8Array[]): Promise<PlacedRecord> {
    const bytes = encodeRecord(head, parts);
    const start = this.#end;
    const end = start + bytes.length;
    try {
      await this.#write(bytes, start);
    } catch (error) {
      // Its remains would be in the way of a shorter record; if this fails too, the next start truncates them.
      await this.#file.truncate(start).catch(() => undefined);
      throw error;
    }
    this.#end = end;
    const sizes = parts.map(({ length }) => length);
    return { head, parts: partLocations(end, sizes), start, end };
  }

  /** Removes a record and all after it before it returns; resolves when that is synced to disk. */
  cut({ start }: Pick<PlacedRecord, 'start'>): Promise<void> {
    ftruncateSync(this.#file.fd, start);
    this.#end = start;
    return this.#file.datasync();
  }

  read({ offset, length }: PartLocation): Buffer {
    return readExactly(this.#file.fd, offset, length);
  }

  readHead({ start, end }: Pick<PlacedRecord, 'start' | 'end'>): RecordHead {
    const record = readRecord(this.#file.fd, start, end);
    if (record === undefined) throw new Error(`${this.path} is damaged at byte ${start}`);
    return record.head;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #write(bytes: Buffer, start: number): Promise<void> {
    let done = 0;
    while (done < bytes.length)
      done += (await this.#file.write(bytes, done, bytes.length - done, start + done)).bytesWritten;
    await this.#file.datasync();
  }
}

/** Records of a file up to the first incomplete one. Throws StartError if there are more after it. */
function* scan(file: number, path: string): Generator<PlacedRecord> {
  const { size } = fstatSync(file);
  let start = 0;
  for (let record = readRecord(file, start, size); record !== undefined; ) {
    yield record;
    start = record.end;
    record = readRecord(file, start, size);
  }
  // A record is started once the previous one is synced: a bad one before a good one is not an unfinished write.
  const tail = readExactly(file, start, size - start);
  for (let at = tail.indexOf(MAGIC, 1); at >= 0; at = tail.indexOf(MAGIC, at + 1))
    if (readRecord(file, start + at, size) !== undefined)
      throw new StartError(
        `${path} is damaged at byte ${start}: restore a snapshot (localnet restore NAME) or start over (localnet --reset)`,
      );
}

/** The record at an offset; undefined if it is incomplete. */
function readRecord(file: number, start: number, size: number): PlacedRecord | undefined {
  if (start + FRAME_BYTES > size) return undefined;
  const frame = decodeFrame(readExactly(file, start, FRAME_BYTES));
  if (frame === undefined) return undefined;
  const end = start + FRAME_BYTES + frame.headBytes + frame.bodyBytes;
  const decoded = end > size ? undefined : decodeRecord(readExactly(file, start, end - start), frame);
  return decoded && { head: decoded.head, parts: partLocations(end, decoded.sizes), start, end };
}

function readExactly(file: number, offset: number, length: number): Buffer {
  // Blocks are cached: they must not keep the rest of a shared slab.
  const bytes = Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const got = readSync(file, bytes, done, length - done, offset + done);
    if (got === 0) throw new Error(`the file of the chain ends at ${offset + done}, in a record`);
    done += got;
  }
  return bytes;
}
