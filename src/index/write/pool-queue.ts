import { type Kysely, sql } from 'kysely';
import type { ClientBase } from 'pg';
import type { Tables } from '../../db/tables/tables.ts';
import { backOffDelay } from '../../lib/back-off.ts';

/** The transactions of a pool in a masterchain seqno that wait for states. */
export interface WaitingRow {
  readonly account: Buffer;
  readonly mcSeqno: number;
  /** The last of the transactions; null if it is not known. */
  readonly lastTransHash: Buffer | null;
  readonly tries: number;
}

/** How long taken pools are reserved. */
const LEASE_SECONDS = 60;
const FIRST_PAUSE_SECONDS = 2;
/** Lite servers that have no old states do not get them later, but others may be configured. */
const MAX_PAUSE_SECONDS = 6 * 3600;
const MAX_COUNTED = 1_000_000;

/** Takes due pools, those with the newest transactions first, and reserves them for the lease. */
export async function takeWaiting(db: Kysely<Tables>, max: number): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    with due as (
      select account, mc_seqno from waiting_pools where next_try <= clock_timestamp()
      order by mc_seqno desc limit ${max} for update skip locked
    )
    update waiting_pools pool set next_try = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
    from due where pool.account = due.account and pool.mc_seqno = due.mc_seqno
    returning pool.account, pool.mc_seqno as "mcSeqno", pool.last_trans_hash as "lastTransHash", pool.tries
  `.execute(db);
  return rows;
}

/** Retries a pool later, with back-off. */
export async function postponeWaiting(
  db: Kysely<Tables>,
  { account, mcSeqno, tries }: WaitingRow,
): Promise<void> {
  const seconds = backOffDelay(tries + 1, FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS);
  await sql`
    update waiting_pools set tries = tries + 1, next_try = clock_timestamp() + ${seconds} * interval '1 second'
    where account = ${account} and mc_seqno = ${mcSeqno} and tries = ${tries}
  `.execute(db);
}

/** Returns pools that were taken and not completed. */
export async function giveBackWaiting(db: Kysely<Tables>, rows: readonly WaitingRow[]): Promise<void> {
  await sql`
    update waiting_pools pool set next_try = clock_timestamp()
    from unnest(${rows.map(({ account }) => account)}::bytea[], ${rows.map(({ mcSeqno }) => mcSeqno)}::integer[])
      as back (account, mc_seqno)
    where pool.account = back.account and pool.mc_seqno = back.mc_seqno
  `.execute(db);
}

/** The size of the backlog, up to a limit. */
export async function countWaiting(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from waiting_pools limit ${MAX_COUNTED}) one
  `.execute(db);
  return rows[0]!.count;
}

/**
 * Removes a pool from the queue in the transaction that writes its events; false if it is not there any more. After blocks
 * were taken back the same seqno may wait again, with other transactions.
 */
export async function takeOff(
  client: ClientBase,
  { account, mcSeqno, lastTransHash }: WaitingRow,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'delete from waiting_pools where account = $1 and mc_seqno = $2 and last_trans_hash is not distinct from $3',
    [account, mcSeqno, lastTransHash],
  );
  return rowCount === 1;
}
