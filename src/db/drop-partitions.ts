import { type Kysely, sql } from 'kysely';
import { CHUNK_LOCK, EVENT_LOCK, PARTITION_LOCK } from './advisory-locks.ts';
import { PARTITIONED_TABLES, partitionStart, startOfPartition } from './partitions.ts';
import type { Tables } from './tables.ts';

/**
 * Forgets all partitions that lie wholly below a seqno, and what refers to them; returns the first seqno that is kept.
 * First the books say that the range is not indexed, then the tables go: whatever interrupts it, the next call ends it.
 * A process that works on a range which begins below finds its claim lost; what is left of the range belongs to nobody,
 * so that it can be claimed again at once.
 */
export async function dropPartitionsBefore(
  db: Kysely<Tables>,
  { seqno, width }: { readonly seqno: number; readonly width: number },
): Promise<number> {
  const first = partitionStart(seqno, width);
  return await db.connection().execute(async (connection) => {
    // Detaching waits for the readers of today to finish, and there is no hurry.
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`select pg_advisory_lock(${PARTITION_LOCK})`.execute(connection);
    try {
      await connection.transaction().execute((transaction) => moveBooks(transaction, first));
      for (const partition of await oldPartitions(connection, first)) await dropOne(connection, partition);
      return first;
    } finally {
      await sql`select pg_advisory_unlock(${PARTITION_LOCK})`.execute(connection).catch(() => {});
      await sql`reset statement_timeout`.execute(connection).catch(() => {});
    }
  });
}

interface OldPartition {
  readonly name: string;
  readonly parent: string | null;
  /** A process ended in the middle of detaching it. */
  readonly half_detached: boolean;
}

/** Attached ones, and those that were detached but not dropped. */
async function oldPartitions(db: Kysely<Tables>, first: number): Promise<OldPartition[]> {
  const pattern = `^(${PARTITIONED_TABLES.join('|')})_p[0-9]{12}$`;
  const { rows } = await sql<OldPartition>`
    select c.relname as name, i.inhparent::regclass::text as parent, coalesce(i.inhdetachpending, false) as half_detached
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname ~ ${pattern}
    order by c.relname`.execute(db);
  return rows.filter((row) => startOfPartition(row.name) < first);
}

async function dropOne(db: Kysely<Tables>, { name, parent, half_detached: isHalf }: OldPartition) {
  if (parent !== null) {
    const how = isHalf ? 'finalize' : 'concurrently';
    await sql.raw(`alter table ${parent} detach partition ${name} ${how}`).execute(db);
  }
  await sql.raw(`drop table ${name}`).execute(db);
}

/**
 * A message that waits in a trace which is kept stays, however old it is: the counters of the trace count it. Traces
 * are locked by id, as whoever writes them does.
 */
async function moveBooks(db: Kysely<Tables>, first: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CHUNK_LOCK})`.execute(db);
  await sql`
    update index_chunks set first_seqno = ${first}, done_seqno = greatest(done_seqno, ${first - 1}), owner = null
    where first_seqno < ${first} and (last_seqno is null or last_seqno >= ${first})`.execute(db);
  await sql`delete from index_chunks where last_seqno < ${first}`.execute(db);
  await sql`update index_origin set first_seqno = greatest(first_seqno, ${first})`.execute(db);
  await sql`
    with old as (
      select trace_id from open_traces where mc_seqno_end < ${first} order by trace_id for update
    ), gone as (
      delete from open_traces using old where open_traces.trace_id = old.trace_id returning old.trace_id
    ), arrived as (
      delete from pending_messages using gone where pending_messages.trace_id = gone.trace_id
    )
    delete from orphan_messages using gone where orphan_messages.trace_id = gone.trace_id`.execute(db);
  // Ranges go into the queue, and what waits too: neither may bring back what is dropped.
  await sql`delete from classification_ranges where last_seqno < ${first}`.execute(db);
  await sql`update classification_ranges set first_seqno = ${first} where first_seqno < ${first}`.execute(db);
  await sql`
    with old as (
      select trace_id from unclassified_traces where mc_seqno_end < ${first} order by trace_id for update
    )
    delete from unclassified_traces using old where unclassified_traces.trace_id = old.trace_id`.execute(db);
  await sql`delete from waiting_traces where mc_seqno_end < ${first}`.execute(db);
  await sql`delete from classification_faults where mc_seqno_end < ${first}`.execute(db);
  // Whoever makes rows of events that wait must have done so, or see that there is no place for them any more.
  await sql`select pg_advisory_xact_lock(${EVENT_LOCK})`.execute(db);
  await sql`delete from waiting_events where mc_seqno < ${first}`.execute(db);
}
