import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables/tables.ts';
import { backOffDelay } from '../../lib/back-off.ts';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import { readKnownCodes } from '../read/state-rows.ts';

/** An account whose code or data must be fetched. */
export interface MissingRow {
  readonly account: Buffer;
  readonly tries: number;
  /** Of its newest state. */
  readonly hash: Buffer;
  readonly lastTransLt: string;
  readonly timestamp: string;
  readonly balance: string;
  readonly codeHash: Buffer | null;
  readonly dataHash: Buffer | null;
  /** Whether anything is still missing, or the contract is not detected yet. */
  readonly isOpen: boolean;
  /** The history of the index when it was taken: contracts were detected beside others of that history. */
  readonly historyId: string;
}

/** How long taken accounts are reserved. */
const LEASE_SECONDS = 20;
const FIRST_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 3600;
const MAX_COUNTED = 1_000_000;

/** Takes due accounts and reserves them for the lease. */
export async function takeMissing(db: Kysely<Tables>, max: number): Promise<MissingRow[]> {
  const { rows: taken } = await sql<TakenRow>`
    with due as (
      select account from missing_cells where next_try <= clock_timestamp()
      order by next_try limit ${max} for update skip locked
    ), taken as (
      update missing_cells set next_try = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
      where account in (select account from due) returning account, tries, undetected
    )
    select taken.*, history_id as "historyId" from taken, index_origin
  `.execute(db);
  const states = await readStates(
    db,
    taken.map(({ account }) => account),
  );
  const codes = await readKnownCodes(
    db,
    [...states.values()].flatMap(({ codeHash }) => codeHash ?? []),
  );
  const knownCodes = new Set(codes.map(bytesKey));
  return taken.flatMap(({ undetected, ...row }) => {
    const state = states.get(bytesKey(row.account));
    if (state === undefined) return [];
    const { hasData, ...known } = state;
    const hasCode = known.codeHash === null || knownCodes.has(bytesKey(known.codeHash));
    // Extra currencies that a block left out cannot be told from none, so every account is fetched once.
    return [{ ...row, ...known, isOpen: undetected || row.tries === 0 || !hasCode || !hasData }];
  });
}

interface TakenRow extends Pick<MissingRow, 'account' | 'tries' | 'historyId'> {
  readonly undetected: boolean;
}

interface StateRow extends Omit<MissingRow, 'tries' | 'isOpen' | 'historyId'> {
  /** Whether the index has the data of the state, or there is none. */
  readonly hasData: boolean;
}

/** Reads the newest states of accounts, after their history: if blocks are taken back meanwhile, nothing is written. */
async function readStates(
  db: Kysely<Tables>,
  accounts: readonly Buffer[],
): Promise<ReadonlyMap<HashKey, StateRow>> {
  const { rows } = await sql<StateRow>`
    select state.account, state.hash, state.code_hash as "codeHash", state.data_hash as "dataHash",
      state.last_trans_lt as "lastTransLt", state.timestamp, state.balance,
      state.data_hash is null or data.hash is not distinct from state.data_hash as "hasData"
    from latest_account_states state left join account_data data using (account)
    where state.account = any(${accounts}::bytea[])
  `.execute(db);
  return new Map(rows.map((row) => [bytesKey(row.account), row]));
}

/** Retries an account later, with back-off. */
export async function postponeMissing(db: Kysely<Tables>, { account, tries }: MissingRow): Promise<void> {
  const seconds = backOffDelay(tries + 1, FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS);
  // A new transaction of the account resets tries and next_try; that takes precedence.
  await sql`
    update missing_cells
    set tries = tries + 1, next_try = clock_timestamp() + ${seconds} * interval '1 second'
    where account = ${account} and tries = ${tries} and next_try > clock_timestamp()
  `.execute(db);
}

/** Returns accounts that were taken and not fetched. */
export async function giveBackMissing(db: Kysely<Tables>, rows: readonly MissingRow[]): Promise<void> {
  const accounts = rows.map(({ account }) => account);
  await sql`
    update missing_cells set next_try = clock_timestamp() where account = any(${accounts})
  `.execute(db);
}

/** The size of the backlog, up to a limit. */
export async function countMissing(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from missing_cells limit ${MAX_COUNTED}) one
  `.execute(db);
  return rows[0]!.count;
}
