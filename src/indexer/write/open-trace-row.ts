import { type HashKey, keyOf } from '../hash-key.ts';
import type { Trace } from '../traces/trace.ts';

/** A row of `open_traces` as pg reads it. */
export interface OpenTraceRow {
  readonly trace_id: Buffer;
  readonly external_hash: Buffer | null;
  readonly external_hash_norm: Buffer | null;
  readonly mc_seqno_start: number;
  readonly mc_seqno_end: number;
  readonly start_lt: string;
  readonly start_utime: string;
  readonly end_lt: string;
  readonly end_utime: string;
  readonly nodes: number;
  readonly edges: number;
  readonly pending_edges: number;
  readonly broken: boolean;
}

/** A trace of the index, to go on with. */
export function toTrace(row: OpenTraceRow): Trace {
  return {
    id: keyOf(row.trace_id),
    into: undefined,
    hasRoot: true,
    isBroken: row.broken,
    externalHash: optionalKey(row.external_hash),
    externalHashNorm: optionalKey(row.external_hash_norm),
    mcSeqnoStart: row.mc_seqno_start,
    mcSeqnoEnd: row.mc_seqno_end,
    startLt: BigInt(row.start_lt),
    startUtime: Number(row.start_utime),
    endLt: BigInt(row.end_lt),
    endUtime: Number(row.end_utime),
    nodes: row.nodes,
    edges: row.edges,
    pending: row.pending_edges,
  };
}

function optionalKey(hash: Buffer | null): HashKey | undefined {
  return hash === null ? undefined : keyOf(hash);
}
