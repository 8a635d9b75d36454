import type { Kysely } from 'kysely';
import type { Tables } from '../../src/db/tables.ts';
import { bytesKey } from '../../src/lib/bytes-key.ts';

/** What complete and incomplete traces have. */
interface TraceHead {
  readonly traceId: Buffer;
  readonly externalHash: Buffer | undefined;
  /** Undefined where it equals the hash. */
  readonly externalHashNorm: Buffer | undefined;
  readonly mcSeqnoStart: number;
  readonly mcSeqnoEnd: number;
  readonly startLt: bigint;
  readonly startUtime: number;
  readonly endLt: bigint;
  readonly endUtime: number;
  readonly nodes: number;
  readonly edges: number;
}

/** A complete trace of the index. */
export interface StoredTrace extends TraceHead {
  /** The accounts that it is listed under, in order. */
  readonly accounts: readonly Buffer[];
}

/** A trace that waits for messages or for its beginning. */
export interface StoredOpenTrace extends TraceHead {
  readonly pendingEdges: number;
  readonly broken: boolean;
}

type TraceRow = Awaited<ReturnType<typeof readRows>>[number];

function readRows(db: Kysely<Tables>) {
  return db.selectFrom('traces').selectAll().orderBy('trace_id').execute();
}

/**
 * Reads all complete traces of the index, ordered by their ids. With `readOpenTraces` this is the only place of the tests
 * that knows how traces are stored.
 */
export async function readStoredTraces(db: Kysely<Tables>): Promise<StoredTrace[]> {
  const rows = await readRows(db);
  const listed = await db.selectFrom('trace_accounts').selectAll().orderBy('account').execute();
  const accountsOf = Map.groupBy(listed, ({ trace_id }) => bytesKey(trace_id));
  const known = new Map(rows.map((row) => [bytesKey(row.trace_id), row]));
  for (const one of listed) {
    const trace = known.get(bytesKey(one.trace_id));
    const isSame =
      trace !== undefined &&
      one.end_lt === trace.end_lt &&
      one.end_utime === trace.end_utime &&
      one.mc_seqno_end === trace.mc_seqno_end;
    if (!isSame) throw new Error(`Account of trace ${one.trace_id.toString('hex')} does not match the trace`);
  }
  return rows.map((row) => ({
    ...headOf(row),
    accounts: (accountsOf.get(bytesKey(row.trace_id)) ?? []).map(({ account }) => account),
  }));
}

/** Reads all incomplete traces of the index, ordered by their ids. */
export async function readOpenTraces(db: Kysely<Tables>): Promise<StoredOpenTrace[]> {
  const rows = await db.selectFrom('open_traces').selectAll().orderBy('trace_id').execute();
  return rows.map((row) => ({ ...headOf(row), pendingEdges: row.pending_edges, broken: row.broken }));
}

function headOf(row: TraceRow): TraceHead {
  return {
    traceId: row.trace_id,
    externalHash: row.external_hash ?? undefined,
    externalHashNorm: row.external_hash_norm ?? undefined,
    mcSeqnoStart: row.mc_seqno_start,
    mcSeqnoEnd: row.mc_seqno_end,
    startLt: BigInt(row.start_lt),
    startUtime: Number(row.start_utime),
    endLt: BigInt(row.end_lt),
    endUtime: Number(row.end_utime),
    nodes: row.nodes,
    edges: row.edges,
  };
}
