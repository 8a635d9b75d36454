import { zstdDecompressSync } from 'node:zlib';
import { beginCell, type Cell } from '@ton/core';
import { readAddress, readBytes, rootOf } from './core-readers.ts';
import type { Row } from './differences.ts';

/** A row of `tx_pages` as pg reads it. */
export interface PageRow {
  readonly page: string;
  readonly last_seqno: number;
  readonly count: number;
  readonly traces: Buffer;
  readonly body: Buffer;
}

/** A transaction in a page. */
export interface PageSlot {
  readonly at: number;
  readonly mcSeqno: number;
  readonly workchain: number;
  readonly cell: Cell;
  readonly traceId: Buffer;
  /** Columns to compare. */
  readonly columns: Row;
}

const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'];
const PLACE_BYTES = 18;

/** Reads a page without the code that writes it; throws if it is damaged. */
export function readPage({ page, count, traces, body }: PageRow): PageSlot[] {
  const raw = zstdDecompressSync(body);
  const reader = new Reader(raw);
  if (reader.uint(1) !== 1) throw new Error('unknown format');
  if (reader.uint(1) !== count) throw new Error('the number of slots differs');
  const places = Array.from({ length: reader.uint(1) }, () => new Reader(reader.take(PLACE_BYTES)));
  const numbers = (bytes: number) => Array.from({ length: count }, () => reader.uint(bytes));
  const placeOf = numbers(1);
  const stateBytes = numbers(4);
  const bagBytes = numbers(4);
  const states = stateBytes.map((bytes) => readStates(reader.take(bytes)));
  const cells = bagBytes.map((bytes) => unmasked(rootOf(reader.take(bytes))));
  if (reader.at !== raw.length) throw new Error('bytes after the last slot');
  const blocks = places.map(readPlace);
  return cells.map((cell, slot) => {
    const { workchain, ...place } = blocks[placeOf[slot]!]!;
    const traceId = traceIdOf(traces, count, slot, cells);
    return {
      at: Number(page) * 64 + slot,
      mcSeqno: Number(place.mc_seqno),
      workchain,
      cell,
      traceId,
      columns: { ...place, ...states[slot], hash: cell.hash(), trace_id: traceId },
    };
  });
}

/** A transaction with its account, of which the page has the difference from the receiver of its in message. */
function unmasked(cell: Cell): Cell {
  const messages = cell.refs[0]!.beginParse();
  const message = messages.loadBit() ? messages.loadRef().beginParse() : undefined;
  if (message === undefined) return cell;
  message.skip(message.loadBit() ? 1 : 3);
  readAddress(message);
  // An address with an anycast part is not used.
  if (message.remainingBits < 3 || message.preloadUint(3) !== 0b100) return cell;
  const receiver = readAddress(message)!.subarray(1);
  const rest = cell.beginParse();
  const builder = beginCell().storeUint(rest.loadUint(4), 4);
  const account = readBytes(rest).map((byte, i) => byte ^ receiver[i]!);
  return builder.storeBuffer(Buffer.from(account)).storeSlice(rest).endCell();
}

function readPlace(reader: Reader) {
  const mcSeqno = reader.uint(4);
  const workchain = (reader.uint(1) << 24) >> 24;
  const hasExtraFlags = reader.uint(1) === 1;
  const shard = reader.take(8).readBigInt64BE(0);
  const place = { mc_seqno: mcSeqno, block_shard: shard, block_seqno: reader.uint(4) };
  return { workchain, ...place, has_extra_flags: hasExtraFlags };
}

function traceIdOf(traces: Buffer, count: number, slot: number, cells: readonly Cell[]): Buffer {
  const root = traces[slot]!;
  if (root < 128) return cells[root]!.hash();
  const at = count + 32 * (root - 128);
  return traces.subarray(at, at + 32);
}

type Prefix = 'before' | 'after';

/** The columns of both states; those of a state that is not stored are left out. */
function readStates(bytes: Buffer): Row {
  const reader = new Reader(bytes);
  const which = reader.uint(1);
  const after = which & 1 ? readState(reader, 'after', {}) : { after_status: null };
  const before = which & 2 ? readState(reader, 'before', after) : { before_status: null };
  if (reader.at !== bytes.length) throw new Error('bytes after the states');
  return { ...after, ...before };
}

function readState(reader: Reader, prefix: Prefix, after: Row): Row {
  const flags = reader.uint(2);
  const balance = reader.varint();
  const value = (shift: number, name: string, read: () => unknown): unknown => {
    const form = (flags >> shift) & 3;
    if (form === 3) return undefined;
    return form === 1 ? read() : form === 2 ? after[`after_${name}`] : null;
  };
  const hash = () => reader.take(32);
  // In the order of the bytes.
  return {
    [`${prefix}_status`]: STATUSES[flags & 3],
    [`${prefix}_balance`]: balance,
    [`${prefix}_code_hash`]: value(2, 'code_hash', hash),
    [`${prefix}_data_hash`]: value(4, 'data_hash', hash),
    [`${prefix}_frozen_hash`]: value(6, 'frozen_hash', hash),
    [`${prefix}_extra`]: value(8, 'extra', () => JSON.parse(reader.take(reader.uint(4)).toString())),
  };
}

/** Reads packed bytes; throws where they end too early. */
export class Reader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  uint(bytes: number): number {
    return this.take(bytes).readUIntLE(0, bytes);
  }

  varint(): bigint {
    const byte = this.uint(1);
    return byte < 128 ? BigInt(byte) : BigInt(byte - 128) + 128n * this.varint();
  }

  take(bytes: number): Buffer {
    if (this.at + bytes > this.#bytes.length) throw new Error('the bytes end too early');
    this.at += bytes;
    return this.#bytes.subarray(this.at - bytes, this.at);
  }
}
