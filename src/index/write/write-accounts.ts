import type { ClientBase } from 'pg';
import { createRowFormat } from '../../db/copy.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { copyFormat, type WriteStatsRecorder } from './copy-in.ts';
import type { AccountChange, DecodedSeqno, StateSummary } from './decoded-seqno.ts';
import type { ValidatorUpdates } from './validator-update.ts';
import { type DetectionResult, queryAccounts } from './write-contracts.ts';
import type { PoolBatch } from './write-pools.ts';

/** The newest state of an account. */
export type LatestState = StateSummary &
  Pick<AccountChange, 'account' | 'mcSeqno' | 'timestamp' | 'lastTransLt' | 'lastTransHash'>;

/** The newest state of an account in a batch. */
export interface AccountUpdate {
  readonly change: LatestState;
  /** Complete data to store; undefined when there is none, it is stored already, or parts are unknown. */
  readonly data: Buffer | undefined;
  /** Whether code or data must still be fetched. */
  readonly isMissing: boolean;
}

/** A state from before the index. */
export interface EarlierState extends StateSummary {
  readonly account: Buffer;
}

/** Consecutive masterchain seqnos that are written together. */
export interface WriteBatch {
  readonly seqnos: readonly DecodedSeqno[];
  readonly latest: readonly AccountUpdate[];
  readonly earlier: readonly EarlierState[];
  /** Detected interfaces of the newest states; left out without detection. */
  readonly detected?: DetectionResult | undefined;
  /** What happened in nominator pools. */
  readonly pools?: PoolBatch | undefined;
  /** What the states of the elector show; left out if there is none. */
  readonly validators?: ValidatorUpdates | undefined;
}

const STATES = createRowFormat<EarlierState>({
  account: (row, { account }) => row.bytes(account),
  hash: (row, { hash }) => row.bytes(hash),
  status: (row, { status }) => row.text(status),
  balance: (row, { balance }) => row.numeric(balance),
  balance_extra: (row, { balanceExtra }) => row.json(balanceExtra),
  code_hash: (row, { codeHash }) => row.bytes(codeHash),
  data_hash: (row, { dataHash }) => row.bytes(dataHash),
  frozen_hash: (row, { frozenHash }) => row.bytes(frozenHash),
});
const LATEST_STATES = createRowFormat<LatestState>({
  ...STATES.fields,
  last_trans_lt: (row, { lastTransLt }) => row.int8(lastTransLt),
  last_trans_hash: (row, { lastTransHash }) => row.bytes(lastTransHash),
  timestamp: (row, { timestamp }) => row.int8(timestamp),
  mc_seqno: (row, { mcSeqno }) => row.int4(mcSeqno),
});
const UPDATES = createRowFormat<LatestState & Omit<AccountUpdate, 'change'> & { isUndetected: boolean }>({
  ...LATEST_STATES.fields,
  boc: (row, { data }) => row.bytes(data),
  is_missing: (row, { isMissing }) => row.bool(isMissing),
  is_undetected: (row, { isUndetected }) => row.bool(isUndetected),
});
const DATA = createRowFormat<AccountUpdate>({
  account: (row, { change }) => row.bytes(change.account),
  hash: (row, { change }) => row.bytes(change.dataHash),
  boc: (row, { data }) => row.bytes(data),
});
const WAITING = createRowFormat<AccountUpdate & { isUndetected: boolean }>({
  account: (row, { change }) => row.bytes(change.account),
  last_trans_lt: (row, { change }) => row.int8(change.lastTransLt),
  undetected: (row, { isUndetected }) => row.bool(isUndetected),
});
const [STATE_COLUMNS, LATEST_COLUMNS] = [STATES.columns, LATEST_STATES.columns];

/** Accounts that are indexed with another code, so that their stored interfaces may be outdated. */
const FIND_CHANGED_CODE = `
select account from new_accounts join latest_account_states kept using (account)
where kept.code_hash is not null and kept.code_hash is distinct from new_accounts.code_hash
  and kept.last_trans_lt < new_accounts.last_trans_lt`;

/** Writes newer states and keeps only those in `new_accounts`: data of an older state must not be written. */
const UPSERT_LATEST = `
with newer as (
  insert into latest_account_states as kept (${LATEST_COLUMNS.join(', ')})
  select ${LATEST_COLUMNS.join(', ')} from new_accounts order by account
  on conflict (account) do update set
    ${LATEST_COLUMNS.slice(1)
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}
  where excluded.last_trans_lt > kept.last_trans_lt
  returning account
)
delete from new_accounts where account not in (select account from newer)`;

const UPSERT_DATA = `
insert into account_data (account, hash, boc)
select account, data_hash, boc from new_accounts where boc is not null order by account
on conflict (account) do update set hash = excluded.hash, boc = excluded.boc`;

const DELETE_DATA = `
delete from account_data where account in (select account from new_accounts where data_hash is null)`;

const UPSERT_MISSING = `
insert into missing_cells (account, last_trans_lt, undetected)
select account, last_trans_lt, is_undetected from new_accounts where is_missing or is_undetected order by account
on conflict (account) do update set
  last_trans_lt = excluded.last_trans_lt, undetected = excluded.undetected, tries = 0, next_try = now()`;

const DELETE_MISSING = `
delete from missing_cells
where account in (select account from new_accounts where not is_missing and not is_undetected)
returning account`;

const NO_ACCOUNTS: ReadonlySet<string> = new Set();

interface WrittenAccounts {
  /** Accounts that were in `missing_cells` and are complete now. */
  readonly settled: readonly Buffer[];
  /** Accounts that are indexed with another code; after a gap of the index blocks alone do not show this. */
  readonly withNewCode: readonly Buffer[];
}

/**
 * Writes the newest states of accounts that the index does not have, in ascending order. One that it has by now is a unique
 * violation.
 */
export async function copyNewAccounts(
  client: ClientBase,
  accounts: readonly AccountUpdate[],
  undetected: ReadonlySet<string>,
  stats: WriteStatsRecorder,
): Promise<void> {
  const latest = accounts.map(({ change }) => change);
  stats.add(await copyFormat(client, 'latest_account_states', LATEST_STATES, latest));
  const withData = accounts.filter(({ data }) => data !== undefined);
  stats.add(await copyFormat(client, 'account_data', DATA, withData));
  const waiting = accounts.flatMap((update) => {
    const isUndetected = undetected.has(bytesKey(update.change.account));
    return update.isMissing || isUndetected ? [{ ...update, isUndetected }] : [];
  });
  stats.add(await copyFormat(client, 'missing_cells', WAITING, waiting));
}

/** Writes the newest account states with their data, and states from before the index. */
export async function writeAccounts(
  client: ClientBase,
  { latest, earlier, detected }: Pick<WriteBatch, 'latest' | 'earlier' | 'detected'>,
  stats: WriteStatsRecorder,
): Promise<WrittenAccounts> {
  let settled: readonly Buffer[] = [];
  let withNewCode: readonly Buffer[] = [];
  if (latest.length > 0) {
    const undetected = detected?.undetected ?? NO_ACCOUNTS;
    const updates = latest.map(({ change, ...update }) => ({
      ...change,
      ...update,
      isUndetected: undetected.has(bytesKey(change.account)),
    }));
    stats.add(await copyFormat(client, 'new_accounts', UPDATES, updates));
    withNewCode = await queryAccounts(client, FIND_CHANGED_CODE);
    await client.query(UPSERT_LATEST);
    if (latest.some(({ data }) => data !== undefined)) await client.query(UPSERT_DATA);
    if (latest.some(({ change }) => change.dataHash === undefined)) await client.query(DELETE_DATA);
    if (undetected.size > 0 || latest.some(({ isMissing }) => isMissing)) await client.query(UPSERT_MISSING);
    settled = await queryAccounts(client, DELETE_MISSING);
  }
  if (earlier.length > 0) {
    stats.add(await copyFormat(client, 'new_account_states', STATES, earlier));
    const columns = STATE_COLUMNS.join(', ');
    await client.query(
      `insert into account_states (${columns})
       select ${columns} from new_account_states order by account, hash on conflict do nothing`,
    );
  }
  return { settled, withNewCode };
}
