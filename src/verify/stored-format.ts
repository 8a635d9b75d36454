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

export type PageSlot = Readonly<ReturnType<typeof readPage>[number]>;

const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'];
const PLACE_BYTES = 18;

/** Reads a page without the code that writes it; throws if it is damaged. */
export function readPage({ page, count, traces, body }: PageRow) {
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

/** A row of `traces` as pg reads it. */
export interface TraceRow {
  readonly trace8: string;
  readonly end_lt: string;
  readonly end_utime: number;
  readonly mc_seqno_start: number;
  readonly mc_seqno_end: number;
  readonly nodes: number;
  readonly info: Buffer;
}

const POSITIONS_PER_SEQNO = 2 ** 22;
const TIME_ORIGIN = 2n ** 31n;

/** Reads what a row of `traces` holds besides its columns, without the code that writes it; throws if it is damaged. */
export function readTraceInfo(row: TraceRow) {
  const reader = new Reader(row.info);
  const prefix = (BigInt(row.trace8) + 2n ** 63n).toString(16).padStart(16, '0');
  const traceId = Buffer.concat([Buffer.from(prefix, 'hex'), reader.take(24)]);
  const flags = reader.uint(1);
  const edges = reader.varint();
  const lts = reader.varint();
  const startLt = BigInt(row.end_lt) - (lts % 2n === 0n ? lts / 2n : -(lts / 2n));
  const startUtime = BigInt(row.end_utime) + TIME_ORIGIN - reader.varint();
  const firstSeqno = row.mc_seqno_start - Number(reader.varint());
  let at = firstSeqno * POSITIONS_PER_SEQNO + Number(reader.varint());
  const positions = [at];
  while (positions.length < row.nodes) {
    at += Number(reader.varint()) + 1;
    positions.push(at);
  }
  const hash = (flag: number) => (flags & flag ? reader.take(32) : null);
  const external = { external_hash: hash(2), external_hash_norm: hash(4) };
  if (reader.at !== row.info.length) throw new Error('bytes after the end');
  return {
    trace_id: traceId,
    edges,
    start_lt: startLt,
    start_utime: startUtime,
    positions,
    /** Whether the two hashes are stored; otherwise the first transaction has them. */
    keeps_external: (flags & 1) === 1,
    ...external,
  };
}

/** Reads packed bytes; throws where they end too early. */
class Reader {
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
