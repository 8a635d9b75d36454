import type { Row } from './differences.ts';
import { Reader } from './read-page.ts';

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

/** What `info` tells about a trace, as columns. */
export interface TraceInfoColumns extends Row {
  readonly trace_id: Buffer;
  readonly edges: bigint;
  readonly start_lt: bigint;
  readonly start_utime: bigint;
  /** The positions of its transactions. */
  readonly positions: readonly number[];
  /** Whether the next two are stored; otherwise the first transaction has them. */
  readonly keeps_external: boolean;
  readonly external_hash: Buffer | null;
  readonly external_hash_norm: Buffer | null;
}

const POSITIONS_PER_SEQNO = 2 ** 22;
const TIME_ORIGIN = 2n ** 31n;

/** Reads what a row of `traces` holds besides its columns, without the code that writes it; throws if it is damaged. */
export function readTraceInfo(row: TraceRow): TraceInfoColumns {
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
    keeps_external: (flags & 1) === 1,
    ...external,
  };
}
