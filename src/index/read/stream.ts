import { type RawBuilder, sql } from 'kysely';
import { KEPT_PLAN } from '../../db/client.ts';
import { readRows } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { accountPrefixes } from '../format/position.ts';
import type { SeqnoRange } from '../snapshot.ts';

/** How far the index can be streamed. */
export interface StreamHead {
  /** Identifies the network. */
  readonly zeroState: Buffer;
  /** Changes whenever indexed blocks are taken back. */
  readonly history: string;
  readonly first: number;
  /** The newest indexed one; null if nothing is indexed. */
  readonly newest: number | null;
  /** The last of the seqnos that are indexed without a gap from the asked one on; null if that is not indexed. */
  readonly reached: number | null;
  /** Where the range that follows the head begins; null if there is none. */
  readonly headFirst: number | null;
  /** When the index was last written, in unix seconds. */
  readonly writtenAt: number;
}

/** Reads how far the index can be streamed from a seqno on; undefined where there has never been an indexer. */
export async function readStreamHead(db: Db, { next }: { readonly next: number }) {
  const rows = await readRows<StreamHead>(db)`${KEPT_PLAN}
    select zero_state as "zeroState", history_id::text as history, first_seqno as first,
      (select ${committed(sql`max(done_seqno)`, sql`max(done_seqno)`)} from index_chunks
        where done_seqno >= first_seqno) as newest,
      (select done from (select ${committed(sql`done_seqno`, sql`${next}::int`)} as done from
        (select done_seqno from index_chunks where first_seqno <= ${next}::int order by first_seqno desc limit 1) chunk
      ) shown where done >= ${next}::int) as reached,
      (select first_seqno from index_chunks
        where last_seqno is null and done_seqno >= first_seqno limit 1) as "headFirst",
      coalesce((select extract(epoch from max(beat)) from index_chunks), 0)::float8 as "writtenAt"
    from index_origin`;
  return rows[0];
}

/** A written seqno, or the last one before it that all nodes of a cluster have committed; announced ranges before `from` do not count. */
function committed(seqno: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<number> {
  return sql`least(${seqno}, (select min(first_seqno) - 1 from announced_writes where last_seqno >= ${from}))`;
}

export interface StreamedBlock {
  readonly seqno: number;
  readonly rootHash: Buffer;
  /** Unix seconds. */
  readonly utime: number;
}

export async function readStreamedBlocks(db: Db, { seqnos }: { readonly seqnos: readonly number[] }) {
  if (seqnos.length === 0) return [];
  const rows = await readRows<{ mc_seqno: number; root_hash: Buffer; gen_utime: string }>(db)`${KEPT_PLAN}
    select mc_seqno, root_hash, gen_utime from blocks where workchain = -1 and mc_seqno = any(${seqnos}::int[])
    order by mc_seqno`;
  return rows.map((row) => ({ seqno: row.mc_seqno, rootHash: row.root_hash, utime: Number(row.gen_utime) }));
}

/** The last seqno of a range up to which all traces that ended there are classified; the one before it if none. */
export async function readClassifiedEnd(db: Db, { first, last }: SeqnoRange): Promise<number> {
  const rows = await readRows<{ readonly waiting: number | null }>(db)`${KEPT_PLAN}
    select least(
      (select min(mc_seqno_end) from unclassified_traces
        where not again and tries = 0 and mc_seqno_end between ${first}::int and ${last}::int),
      (select min(mc_seqno_end) from unclassified_traces
        where not again and tries > 0 and mc_seqno_end between ${first}::int and ${last}::int),
      (select min(greatest(first_seqno, ${first}::int)) from classification_ranges
        where not again and first_seqno <= ${last}::int and last_seqno >= ${first}::int)) as waiting`;
  return (rows[0]?.waiting ?? last + 1) - 1;
}

/**
 * A logical time that is not above that of any transaction committed after a seqno: a shard continues behind its newest
 * block. Undefined if the seqno is not indexed.
 */
export async function readLtAfter(db: Db, { seqno }: { readonly seqno: number }) {
  const tops = await db
    .selectFrom('shard_states')
    .select(['workchains', 'shards', 'seqnos'])
    .where('mc_seqno', '=', seqno)
    .executeTakeFirst();
  if (tops === undefined) return undefined;
  const rows = await readRows<{ readonly lt: string | null }>(db)`
    select min(end_lt) as lt from blocks
    join unnest(${tops.workchains}::int[], ${tops.shards}::bigint[], ${tops.seqnos}::int[])
      as top (workchain, shard, seqno) using (workchain, shard, seqno)
    where mc_seqno <= ${seqno}`;
  const lt = rows[0]?.lt;
  return lt == null ? undefined : BigInt(lt);
}

interface TouchQuery extends SeqnoRange {
  readonly accounts: readonly Buffer[];
  readonly sinceLt: bigint;
  readonly limit: number;
}

/** The seqnos in which accounts, or others with the same prefixes, have transactions; ascending, up to a limit. */
export function findTransactionSeqnos(db: Db, query: TouchQuery): Promise<number[]> {
  return findSeqnos(db, query, { table: 'transactions', lt: 'lt', seqno: 'mc_seqno' });
}

/** The same for the ends of traces in which they have transactions. */
export function findTraceSeqnos(db: Db, query: TouchQuery): Promise<number[]> {
  return findSeqnos(db, query, { table: 'trace_accounts', lt: 'end_lt', seqno: 'mc_seqno_end' });
}

/** The same for the ends of traces in whose actions they take part without a transaction. */
export function findActionSeqnos(db: Db, query: TouchQuery): Promise<number[]> {
  return findSeqnos(db, query, { table: 'action_accounts', lt: 'trace_end_lt', seqno: 'mc_seqno_end' });
}

async function findSeqnos(
  db: Db,
  { accounts, sinceLt, first, last, limit }: TouchQuery,
  columns: { readonly table: string; readonly lt: string; readonly seqno: string },
): Promise<number[]> {
  if (accounts.length === 0 || first > last) return [];
  const [lt, seqno] = [sql.ref(columns.lt), sql.ref(columns.seqno)];
  const rows = await readRows<{ readonly seqno: number }>(db)`
    select distinct ${seqno} as seqno from ${sql.table(columns.table)}
    where acc8 = any(${accountPrefixes(accounts)}::bigint[]) and ${lt} >= ${sinceLt}
      and ${seqno} between ${first} and ${last}
    order by 1 limit ${limit}`;
  return rows.map((row) => row.seqno);
}

export async function isRangeIndexed(db: Db, { first, last }: SeqnoRange): Promise<boolean> {
  if (first > last) return true;
  const rows = await readRows<{ readonly count: number }>(db)`
    select coalesce(sum(least(done_seqno, ${last}::int) - greatest(first_seqno, ${first}::int) + 1), 0)::int as count
    from index_chunks where done_seqno >= greatest(first_seqno, ${first}::int) and first_seqno <= ${last}::int`;
  return rows[0]!.count === last - first + 1;
}

/** The first indexed seqno from one on; undefined if there is none. */
export async function findIndexedFrom(db: Db, { first }: { readonly first: number }) {
  const rows = await readRows<{ readonly seqno: number | null }>(db)`
    select min(greatest(first_seqno, ${first}::int)) as seqno from index_chunks
    where done_seqno >= greatest(first_seqno, ${first}::int)`;
  return rows[0]?.seqno ?? undefined;
}

/** The seqnos with the newest states of those accounts that changed within some seconds before the newest block. */
export async function readRecentStates(
  db: Db,
  { accounts, seconds }: { readonly accounts: readonly Buffer[]; readonly seconds: number },
): Promise<number[]> {
  const rows = await readRows<{ readonly seqno: number }>(db)`
    select distinct mc_seqno as seqno from latest_account_states
    where account = any(${accounts}::bytea[]) and timestamp >= ${seconds}::int * -1 + (
      select gen_utime from blocks where workchain = -1 order by mc_seqno desc limit 1)
    order by 1`;
  return rows.map((row) => row.seqno);
}
