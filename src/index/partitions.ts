import { sql } from 'kysely';
import { CHUNK_LOCK, EVENT_LOCK, PARTITION_LOCK } from '../db/advisory-locks.ts';
import { isCluster, readRows, withoutTimeLimits } from '../db/driver.ts';
import type { Db } from '../db/tables/tables.ts';

/** Tables partitioned by masterchain seqno; a partition is named after its first seqno. */
export const PARTITIONED_TABLES = [
  'blocks',
  'shard_states',
  'tx_pages',
  'transactions',
  'messages',
  'traces',
  'trace_accounts',
  'jetton_transfers',
  'jetton_burns',
  'nft_transfers',
  'trace_actions',
  'action_keys',
  'action_accounts',
  'hash_places',
] as const;

/** `tx_pages` is partitioned by the number of the page: this many pages may begin with the same seqno. */
const PAGES_PER_SEQNO = 2 ** 16;

interface QueryClient {
  query(text: string): Promise<unknown>;
}

interface PartitionRange {
  /** Masterchain seqnos, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Seqnos per partition: `index_origin.partition_seqnos`. */
  readonly width: number;
  /** First seqnos of partitions known to exist; they are not checked again, and new ones are added. */
  readonly known?: Set<number>;
}

const NAME_DIGITS = 12;

/**
 * Creates missing partitions of all tables for a range of seqnos. Not inside a transaction: it would hold the lock, and
 * others that need a partition would wait for its end. If a row finds no partition although it is in `known` (another
 * process has dropped it), clear `known` and call again.
 */
export async function ensurePartitions(
  db: Db | QueryClient,
  { from, to, width, known = new Set() }: PartitionRange,
): Promise<void> {
  for (let start = partitionStart(from, width); start <= to; start += width) {
    if (known.has(start)) continue;
    await run(db, makePartitions(start, width));
    known.add(start);
  }
}

export function partitionStart(seqno: number, width: number): number {
  return seqno - (seqno % width);
}

export function partitionName(table: string, start: number): string {
  return `${table}_p${String(start).padStart(NAME_DIGITS, '0')}`;
}

export function startOfPartition(name: string): number {
  return Number(name.slice(-NAME_DIGITS));
}

/**
 * One statement, so one transaction on any connection. `create table … partition of` would lock out all readers of the
 * table until it is its turn; a table that is made alone and attached locks out only other changes of the schema. A
 * table that stands alone under the name of a partition was being dropped when a process ended.
 */
function makePartitions(start: number, width: number): string {
  const names = PARTITIONED_TABLES.map((table) => `'${partitionName(table, start)}'`).join(', ');
  const steps = PARTITIONED_TABLES.map((table) => {
    const name = partitionName(table, start);
    const unit = table === 'tx_pages' ? PAGES_PER_SEQNO : 1;
    return `
  if not exists (select from pg_inherits where inhrelid = to_regclass('${name}') and not inhdetachpending) then
    if exists (select from pg_inherits where inhrelid = to_regclass('${name}')) then
      alter table ${table} detach partition ${name} finalize;
    end if;
    if to_regclass('${name}') is not null then drop table ${name}; end if;
    create table ${name} (like ${table} including all);
    alter table ${table} attach partition ${name} for values from (${start * unit}) to (${(start + width) * unit});
  end if;`;
  });
  return `do $$
begin
  if (select count(*) from pg_inherits join pg_class on pg_class.oid = inhrelid
      where relname in (${names}) and relnamespace = current_schema()::regnamespace
        and not inhdetachpending) = ${PARTITIONED_TABLES.length}
  then return; end if;
  perform pg_advisory_xact_lock(${PARTITION_LOCK});
  ${steps.join('')}
end $$`;
}

async function run(db: Db | QueryClient, text: string): Promise<void> {
  if ('query' in db) await db.query(text);
  else await sql.raw(text).execute(db);
}

/**
 * Drops all partitions that lie entirely below a seqno, and everything that refers to them; returns the first seqno that
 * is kept. The coverage is updated first, then the tables are dropped: after an interruption the next call finishes. A
 * process that works on a range starting below loses its claim; the rest of the range has no owner, so it can be claimed
 * again at once.
 */
export async function dropPartitionsBefore(
  db: Db,
  { seqno, width }: { readonly seqno: number; readonly width: number },
): Promise<number> {
  const first = partitionStart(seqno, width);
  // Detaching waits for running readers, which may take a while.
  return await withoutTimeLimits(db, async (connection) => {
    await sql`select pg_advisory_lock(${PARTITION_LOCK})`.execute(connection);
    try {
      await connection.transaction().execute((transaction) => forgetRange(transaction, first));
      for (const partition of await oldPartitions(connection, first)) await dropOne(connection, partition);
      return first;
    } finally {
      await sql`select pg_advisory_unlock(${PARTITION_LOCK})`.execute(connection).catch(() => {});
    }
  });
}

interface OldPartition {
  readonly name: string;
  readonly parent: string | null;
  /** A process stopped while detaching it. */
  readonly half_detached: boolean;
}

/** Finds attached partitions, and those that were detached but not dropped. */
async function oldPartitions(db: Db, first: number): Promise<OldPartition[]> {
  const pattern = `^(${PARTITIONED_TABLES.join('|')})_p[0-9]{12}$`;
  const rows = await readRows<OldPartition>(db)`
    select c.relname as name, i.inhparent::regclass::text as parent, coalesce(i.inhdetachpending, false) as half_detached
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname ~ ${pattern}
    order by c.relname`;
  return rows.filter((row) => startOfPartition(row.name) < first);
}

/** Citus cannot detach a partition while the table is read: there the table is locked until the partition is dropped. */
async function dropOne(db: Db, { name, parent, half_detached: isHalf }: OldPartition) {
  if (parent !== null && !isCluster(db)) {
    const how = isHalf ? 'finalize' : 'concurrently';
    await sql.raw(`alter table ${parent} detach partition ${name} ${how}`).execute(db);
  }
  await sql.raw(`drop table ${name}`).execute(db);
}

/**
 * Removes all references to seqnos below `first`. Pending messages and transactions of a trace that is kept stay, however
 * old they are: the counters of the trace include them. Traces are locked in the order of their ids, as writers do.
 */
async function forgetRange(db: Db, first: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CHUNK_LOCK})`.execute(db);
  await sql`
    update index_chunks set first_seqno = ${first}, done_seqno = greatest(done_seqno, ${first - 1}), owner = null
    where first_seqno < ${first} and (last_seqno is null or last_seqno >= ${first})`.execute(db);
  await db.deleteFrom('index_chunks').where('last_seqno', '<', first).execute();
  await sql`update index_origin set first_seqno = greatest(first_seqno, ${first})`.execute(db);
  await sql`
    with old as (
      select trace_id from open_traces where mc_seqno_end < ${first} order by trace_id for update
    ), gone as (
      delete from open_traces using old where open_traces.trace_id = old.trace_id returning old.trace_id
    ), members as (
      delete from open_members using gone where open_members.trace_id = gone.trace_id
    ), arrived as (
      delete from pending_messages using gone where pending_messages.trace_id = gone.trace_id
    )
    delete from orphan_messages using gone where orphan_messages.trace_id = gone.trace_id`.execute(db);
  // Neither ranges nor queued traces may bring back what is dropped.
  await db.deleteFrom('classification_ranges').where('last_seqno', '<', first).execute();
  await sql`update classification_ranges set first_seqno = ${first} where first_seqno < ${first}`.execute(db);
  await sql`
    with old as (
      select trace_id from unclassified_traces where mc_seqno_end < ${first} order by trace_id for update
    )
    delete from unclassified_traces using old where unclassified_traces.trace_id = old.trace_id`.execute(db);
  await db.deleteFrom('waiting_traces').where('mc_seqno_end', '<', first).execute();
  // The queue first: what is taken from it meanwhile is written before the events are deleted.
  for (const table of ['waiting_pools', 'nominator_pool_events', 'pool_validator_events'] as const)
    await db.deleteFrom(table).where('mc_seqno', '<', first).execute();
  await db.deleteFrom('classification_faults').where('mc_seqno_end', '<', first).execute();
  // With this lock, rows of waiting events are either written already or find no partition any more.
  await sql`select pg_advisory_xact_lock(${EVENT_LOCK})`.execute(db);
  await db.deleteFrom('waiting_events').where('mc_seqno', '<', first).execute();
}
