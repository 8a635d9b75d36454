import type { ClientBase } from 'pg';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import { hashPrefix } from '../format/position.ts';
import { type PackedTraceRow, traceIdOf } from '../format/trace-info.ts';

/** Which trace, and where it ended. */
export interface TraceEnd {
  readonly traceId: Buffer;
  readonly mcSeqnoEnd: number;
}

/** A row of `traces` as pg reads it. */
export interface TraceRow extends PackedTraceRow {
  readonly mc_seqno_end: number;
}

/** Prefixes of ids, and bounds of seqnos, which prune partitions. */
export function keyParams(traces: readonly TraceEnd[]): [bigint[], number, number] {
  const seqnos = traces.map(({ mcSeqnoEnd }) => mcSeqnoEnd);
  return [
    traces.map(({ traceId }) => hashPrefix(traceId)),
    seqnos.reduce((a, b) => Math.min(a, b)),
    seqnos.reduce((a, b) => Math.max(a, b)),
  ];
}

const FIND_TRACES = `
select trace8, end_lt, end_utime, mc_seqno_start, mc_seqno_end, nodes, info from traces
where trace8 = any($1::bigint[]) and mc_seqno_end between $2 and $3`;

/** Reads traces, by id; those that are not in the index are left out. */
export async function findTraces(
  client: ClientBase,
  traces: readonly TraceEnd[],
): Promise<ReadonlyMap<HashKey, TraceRow>> {
  if (traces.length === 0) return new Map();
  const seqnoOf = new Map(traces.map(({ traceId, mcSeqnoEnd }) => [bytesKey(traceId), mcSeqnoEnd]));
  const { rows } = await client.query<TraceRow>(FIND_TRACES, keyParams(traces));
  const found = rows.map((row) => [bytesKey(traceIdOf(row)), row] as const);
  return new Map(found.filter(([key, row]) => seqnoOf.get(key) === row.mc_seqno_end));
}

/** A trace and its size. */
export interface SizedTrace extends TraceEnd {
  readonly nodes: number;
}

/** The beginning of `info` has the rest of the id; the whole of it may be large. */
const FIND_ENDED = `
select trace8, mc_seqno_end, nodes, substring(info for 24) as info from traces
where mc_seqno_end between $1 and $2`;

/** Reads the traces that ended in a range of seqnos. */
export async function readTracesEnded(
  client: ClientBase,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<SizedTrace[]> {
  const { rows } = await client.query<Omit<TraceRow, 'end_lt' | 'end_utime' | 'mc_seqno_start'>>(FIND_ENDED, [
    first,
    last,
  ]);
  return rows.map((row) => ({ traceId: traceIdOf(row), mcSeqnoEnd: row.mc_seqno_end, nodes: row.nodes }));
}
