import { type Kysely, type Selectable, sql } from 'kysely';
import type { AccountStatus } from '../../chain/tlb/transaction-phases.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { eachInSlices, mapInSlices } from '../../lib/slices.ts';
import { KEPT_PLAN } from '../client.ts';
import type { Tables, TransactionsTable } from '../tables.ts';
import { type MessageDetails, type MessageRow, readMessageContents } from './messages.ts';

/** The key of a transaction; the seqno selects the partition. */
export interface TransactionKey {
  readonly account: Buffer;
  readonly lt: string;
  readonly mc_seqno: number;
}

/** A transaction with its messages and the states of its account around it. */
export interface TransactionDetails {
  readonly row: TransactionRow;
  readonly inMessage: MessageDetails | undefined;
  /** By logical time. */
  readonly outMessages: readonly MessageDetails[];
  readonly before: StateAtTransaction;
  readonly after: StateAtTransaction;
}

/** Reads transactions with messages and states in the order of their keys, in a few statements for all. */
export async function readTransactionDetails(
  db: Kysely<Tables>,
  { keys }: { readonly keys: readonly TransactionKey[] },
): Promise<TransactionDetails[]> {
  if (keys.length === 0) return [];
  // The planner prunes partitions only by values that it knows in advance.
  const seqnos = keys.map(({ mc_seqno }) => mc_seqno);
  const isNear = sql`mc_seqno between ${Math.min(...seqnos)} and ${Math.max(...seqnos)}`;
  const asked = sql`unnest(${keys.map(({ account }) => account)}::bytea[], ${keys.map(({ lt }) => lt)}::bigint[],
    ${seqnos}::int[]) with ordinality as asked (account, lt, mc_seqno, place)`;
  const { rows } = await sql<TransactionRow>`${KEPT_PLAN}
    select found.*, coalesce(balance_extra = 'null', false) as extra_is_hidden
    from ${asked} join lateral (
      select * from transactions
      where account = asked.account and lt = asked.lt and mc_seqno = asked.mc_seqno
        and ${isNear} limit 1) found on true
    order by place`.execute(db);
  const messages = await sql<MessageRow>`${KEPT_PLAN}
    select found.* from ${asked} join lateral (
      select * from messages
      where account = asked.account and tx_lt = asked.lt and mc_seqno = asked.mc_seqno
        and ${isNear} offset 0) found on true
    order by place, found.lt, ordinal`.execute(db);
  const messagesOf = await groupByTransaction(await readMessageContents(db, { messages: messages.rows }));
  const states = await readTransactionStates(db, { rows });
  return mapInSlices(rows, (row, at) => {
    const own = messagesOf.get(transactionKey(row.account, row.lt)) ?? [];
    return {
      row,
      inMessage: own.find(({ ordinal }) => ordinal === 0),
      outMessages: own.filter(({ ordinal }) => ordinal > 0),
      ...states[at]!,
    };
  });
}

async function groupByTransaction(
  messages: readonly MessageDetails[],
): Promise<ReadonlyMap<string, MessageDetails[]>> {
  const groups = new Map<string, MessageDetails[]>();
  await eachInSlices(messages, (message) => {
    const key = transactionKey(message.account, message.tx_lt);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [message]);
    else group.push(message);
  });
  return groups;
}

function transactionKey(account: Buffer, lt: string): string {
  return bytesKey(account) + lt;
}

/** A transaction of the index. */
export type TransactionRow = Selectable<TransactionsTable> & {
  /** The block does not show the extra currencies after it; they are those of the state before. */
  readonly extra_is_hidden: boolean;
};

/** What is known about a state besides its hash. */
interface KnownState {
  readonly status: AccountStatus;
  readonly balance: string;
  /** Undefined if they were not found. */
  readonly balance_extra: Readonly<Record<string, string>> | undefined;
  readonly code_hash: Buffer | null;
  readonly data_hash: Buffer | null;
  readonly frozen_hash: Buffer | null;
}

/** An account state at a transaction; only the hash is known of states within a block and of missing accounts. */
export interface StateAtTransaction {
  readonly hash: Buffer;
  readonly known: KnownState | undefined;
}

interface StatesAround {
  readonly before: StateAtTransaction;
  readonly after: StateAtTransaction;
}

/** A state and the transaction that made it, if the index has one. */
interface MadeState extends HidingState, Omit<KnownState, 'balance' | 'balance_extra'> {
  readonly balance: string | null;
  readonly balance_extra: Readonly<Record<string, string>> | null;
  readonly extra_is_hidden: boolean;
}

/** The hash of the state of an account that does not exist. */
const NONEXISTENT = Buffer.from('90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4', 'hex');

/** Reads the states before and after transactions. The state before is the one after the previous transaction, often on the same page. */
async function readTransactionStates(
  db: Kysely<Tables>,
  { rows }: { readonly rows: readonly TransactionRow[] },
): Promise<StatesAround[]> {
  const made = new Map<string, MadeState>();
  await eachInSlices(rows, (row) => {
    made.set(transactionKey(row.account, row.lt), { ...row, status: row.end_status });
  });
  const unknown = rows.filter(
    ({ account, prev_lt, state_hash_before }) =>
      !made.has(transactionKey(account, prev_lt)) && !state_hash_before.equals(NONEXISTENT),
  );
  for (const state of await readStatesBefore(db, unknown))
    made.set(transactionKey(state.account, state.lt), state);
  const extraOf = await findExtras(db, made);
  const known = (account: Buffer, lt: string): KnownState | undefined => {
    const state = made.get(transactionKey(account, lt));
    if (state === undefined || state.balance === null) return undefined;
    const { status, balance, code_hash, data_hash, frozen_hash } = state;
    return { status, balance, balance_extra: extraOf(state), code_hash, data_hash, frozen_hash };
  };
  return mapInSlices(rows, ({ account, lt, prev_lt, state_hash_before: hash, state_hash_after }) => ({
    before: { hash, known: hash.equals(NONEXISTENT) ? undefined : known(account, prev_lt) },
    after: { hash: state_hash_after, known: known(account, lt) },
  }));
}

/** Finds the extra currencies of states. Hidden ones are searched among the states at hand first, then in the index. */
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
      const before = origins.get(origin) ?? made.get(transactionKey(origin.account, origin.prev_lt));
      if (before === undefined || before === origin) break;
      origin = before;
    }
    origins.set(state, origin);
  }
  const hidden = await readHiddenExtras(db, { states: [...new Set(origins.values())].filter(isHiding) });
  return (state) => {
    const origin = origins.get(state) ?? state;
    return isHiding(origin)
      ? hidden.get(transactionKey(origin.account, origin.lt))
      : (origin.balance_extra ?? {});
  };
}

/** Reads the states before transactions, with the `lt` of the transactions that made them; mostly from the same partition or the previous one. */
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

/** A state with the extra currencies of the state before, and the transaction that made it. */
interface HidingState {
  readonly account: Buffer;
  readonly lt: string;
  readonly mc_seqno: number;
  readonly prev_lt: string;
  readonly state_hash_before: Buffer;
}

/** Blocks show extra currencies only when they change. If they did not for more transactions than this, they are not shown. */
const MAX_STEPS = 100;

type Extra = Readonly<Record<string, string>>;

/**
 * Finds extra currencies that blocks left out: walks back over the transactions of the account until a state shows them.
 * Keyed by `transactionKey`; those not found are missing.
 */
async function readHiddenExtras(
  db: Kysely<Tables>,
  { states }: { readonly states: readonly HidingState[] },
): Promise<ReadonlyMap<string, Extra>> {
  if (states.length === 0) return new Map();
  const { rows } = await sql<{ account: Buffer; lt: string; extra: Extra }>`
    with recursive walk as (
      select account, lt, prev_lt, hash, mc_seqno, false as is_shown, null::jsonb as extra, 0 as step
      from unnest(${states.map(({ account }) => account)}::bytea[], ${states.map(({ lt }) => lt)}::bigint[],
                  ${states.map(({ prev_lt }) => prev_lt)}::bigint[],
                  ${states.map((state) => state.state_hash_before)}::bytea[],
                  ${states.map(({ mc_seqno }) => mc_seqno)}::int[]) as asked (account, lt, prev_lt, hash, mc_seqno)
      union all
      select walk.account, walk.lt, coalesce(made.prev_lt, 0), made.state_hash_before, made.mc_seqno,
             made.account is null or made.balance is not null and made.balance_extra is distinct from 'null',
             case when made.account is null then kept.balance_extra else made.balance_extra end, step + 1
      from walk
      left join lateral (
        select * from transactions t
        where t.account = walk.account and t.lt = walk.prev_lt and t.mc_seqno <= walk.mc_seqno
        order by mc_seqno desc limit 1) made on true
      left join lateral (
        select * from account_states s
        where made.account is null and s.account = walk.account and s.hash = walk.hash limit 1) kept on true
      where not is_shown and step < ${MAX_STEPS} and (made.account is not null or kept.account is not null))
    select account, lt, coalesce(extra, '{}') as extra from walk where is_shown`.execute(db);
  return new Map(rows.map(({ account, lt, extra }) => [transactionKey(account, lt), extra]));
}
