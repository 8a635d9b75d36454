import { type Kysely, type Selectable, sql } from 'kysely';
import type { AccountStatus } from '../../chain/tlb/transaction-status.ts';
import { KEPT_PLAN } from '../kept-plans.ts';
import type { Tables } from '../tables.ts';
import type { TransactionsTable } from '../transactions-table.ts';
import { type HidingState, readHiddenExtras } from './hidden-extras.ts';

/** A transaction as the index has it. */
export type TransactionRow = Selectable<TransactionsTable> & {
  /** The extra currencies after it are those of the state before, which the block did not show. */
  readonly extra_is_hidden: boolean;
};

/** What is known of a state beside its hash. */
export interface KnownState {
  readonly status: AccountStatus;
  readonly balance: string;
  /** Undefined when they could not be found. */
  readonly balance_extra: Readonly<Record<string, string>> | undefined;
  readonly code_hash: Buffer | null;
  readonly data_hash: Buffer | null;
  readonly frozen_hash: Buffer | null;
}

/** A state of an account at a transaction; of states within a block, and of accounts that are not there, only the hash is known. */
export interface AccountStateRow {
  readonly hash: Buffer;
  readonly known: KnownState | undefined;
}

interface StatesAround {
  readonly before: AccountStateRow;
  readonly after: AccountStateRow;
}

/** A state with what made it: a transaction, or nothing in the index. */
interface MadeState extends HidingState, Omit<KnownState, 'balance' | 'balance_extra'> {
  readonly balance: string | null;
  readonly balance_extra: Readonly<Record<string, string>> | null;
  readonly extra_is_hidden: boolean;
}

/** The hash of the state of an account that does not exist. */
const NONEXISTENT = Buffer.from('90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4', 'hex');

/** The states around transactions, a pair a row. One before is that after the transaction before, mostly of the same page. */
export async function readTransactionStates(
  db: Kysely<Tables>,
  { rows }: { readonly rows: readonly TransactionRow[] },
): Promise<StatesAround[]> {
  const made = new Map<string, MadeState>();
  for (const row of rows) made.set(keyOf(row.account, row.lt), { ...row, status: row.end_status });
  const unknown = rows.filter(
    ({ account, prev_lt, state_hash_before }) =>
      !made.has(keyOf(account, prev_lt)) && !state_hash_before.equals(NONEXISTENT),
  );
  for (const state of await readStatesBefore(db, unknown)) made.set(keyOf(state.account, state.lt), state);
  const extraOf = await findExtras(db, made);
  const known = (account: Buffer, lt: string): KnownState | undefined => {
    const state = made.get(keyOf(account, lt));
    if (state === undefined || state.balance === null) return undefined;
    return { ...state, balance: state.balance, balance_extra: extraOf(state) };
  };
  return rows.map(({ account, lt, prev_lt, state_hash_before: hash, state_hash_after }) => ({
    before: { hash, known: hash.equals(NONEXISTENT) ? undefined : known(account, prev_lt) },
    after: { hash: state_hash_after, known: known(account, lt) },
  }));
}

/** Tells the extra currencies of states. Those that are hidden are looked for among the states at hand first, then behind them. */
async function findExtras(
  db: Kysely<Tables>,
  made: ReadonlyMap<string, MadeState>,
): Promise<(state: MadeState) => KnownState['balance_extra']> {
  const isHiding = ({ balance, extra_is_hidden }: MadeState) => balance === null || extra_is_hidden;
  const origins = new Map<MadeState, MadeState>();
  for (const state of made.values()) {
    if (state.balance === null || !state.extra_is_hidden) continue;
    let origin = state;
    while (isHiding(origin)) {
      const before = origins.get(origin) ?? made.get(keyOf(origin.account, origin.prev_lt));
      if (before === undefined || before === origin) break;
      origin = before;
    }
    origins.set(state, origin);
  }
  const hidden = await readHiddenExtras(db, { states: [...new Set(origins.values())].filter(isHiding) });
  return (state) => {
    const origin = origins.get(state) ?? state;
    return isHiding(origin) ? hidden.get(keyOf(origin.account, origin.lt)) : (origin.balance_extra ?? {});
  };
}

/** States before transactions, with `lt` of the transactions that made them. Most are in the same partition or the one before. */
async function readStatesBefore(db: Kysely<Tables>, rows: readonly TransactionRow[]): Promise<MadeState[]> {
  if (rows.length === 0) return [];
  const { rows: found } = await sql<MadeState>`${KEPT_PLAN}
    select asked.account, asked.prev_lt as lt,
           coalesce(made.mc_seqno, 0) as mc_seqno, coalesce(made.prev_lt, 0) as prev_lt,
           coalesce(made.state_hash_before, '') as state_hash_before,
           coalesce(made.end_status, kept.status) as status,
           coalesce(made.balance, kept.balance) as balance,
           coalesce(made.balance_extra, kept.balance_extra) as balance_extra,
           coalesce(made.balance_extra = 'null', false) as extra_is_hidden,
           coalesce(made.code_hash, kept.code_hash) as code_hash,
           coalesce(made.data_hash, kept.data_hash) as data_hash,
           coalesce(made.frozen_hash, kept.frozen_hash) as frozen_hash
    from unnest(${rows.map(({ account }) => account)}::bytea[], ${rows.map(({ prev_lt }) => prev_lt)}::bigint[],
                ${rows.map((row) => row.state_hash_before)}::bytea[], ${rows.map(({ mc_seqno }) => mc_seqno)}::int[])
           as asked (account, prev_lt, hash, mc_seqno)
    left join lateral (
      select account, mc_seqno, prev_lt, state_hash_before, end_status, balance, balance_extra, code_hash, data_hash,
             frozen_hash
      from transactions t
      where t.account = asked.account and t.lt = asked.prev_lt and t.mc_seqno <= asked.mc_seqno
      order by mc_seqno desc limit 1) made on true
    left join lateral (
      select * from account_states s
      where made.account is null and s.account = asked.account and s.hash = asked.hash limit 1) kept on true
    where made.balance is not null or kept.balance is not null`.execute(db);
  return found;
}

function keyOf(account: Buffer, lt: string): string {
  return account.toString('latin1') + lt;
}
