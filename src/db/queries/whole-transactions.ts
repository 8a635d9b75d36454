import { type Kysely, sql } from 'kysely';
import { KEPT_PLAN } from '../kept-plans.ts';
import type { Tables } from '../tables.ts';
import { type MessageRow, readMessageContents, type WholeMessage } from './message-contents.ts';
import { type AccountStateRow, readTransactionStates, type TransactionRow } from './transaction-states.ts';

/** What tells a transaction; the seqno is there to find its partition. */
export interface TransactionKey {
  readonly account: Buffer;
  readonly lt: string;
  readonly mc_seqno: number;
}

/** A transaction with its messages and the states of its account around it. */
export interface WholeTransaction {
  readonly row: TransactionRow;
  readonly inMessage: WholeMessage | undefined;
  /** By logical time. */
  readonly outMessages: readonly WholeMessage[];
  readonly before: AccountStateRow;
  readonly after: AccountStateRow;
}

/** Reads transactions in the order of their keys, with all that belongs to them, in a few statements for all. */
export async function readWholeTransactions(
  db: Kysely<Tables>,
  { keys }: { readonly keys: readonly TransactionKey[] },
): Promise<WholeTransaction[]> {
  if (keys.length === 0) return [];
  // The planner leaves out partitions only for what it knows beforehand.
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
  const messagesOf = groupByTransaction(await readMessageContents(db, { messages: messages.rows }));
  const states = await readTransactionStates(db, { rows });
  return rows.map((row, at) => {
    const own = messagesOf.get(transactionKey(row.account, row.lt)) ?? [];
    return {
      row,
      inMessage: own.find(({ ordinal }) => ordinal === 0),
      outMessages: own.filter(({ ordinal }) => ordinal > 0),
      ...states[at]!,
    };
  });
}

function groupByTransaction(messages: readonly WholeMessage[]): ReadonlyMap<string, WholeMessage[]> {
  return Map.groupBy(messages, ({ account, tx_lt }) => transactionKey(account, tx_lt));
}

function transactionKey(account: Buffer, lt: string): string {
  return account.toString('latin1') + lt;
}
