import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { pageParts } from './page.ts';
import { byLt } from './transaction-order.ts';
import type { TransactionKey } from './whole-transactions.ts';

/** The transactions on the other side of the messages of a transaction: who sent what it received, who received what it sent. */
export async function readAdjacentTransactions(
  db: Kysely<Tables>,
  { hash, direction }: { readonly hash: Buffer; readonly direction?: 'in' | 'out' | undefined },
): Promise<TransactionKey[]> {
  const side = { in: sql`own.ordinal = 0`, out: sql`own.ordinal > 0` };
  const { order } = pageParts(byLt('asc'), { limit: 0, offset: 0 });
  const { rows } = await sql<TransactionKey>`
    with own as materialized (
      select own.hash, own.ordinal from transactions t
      join messages own on own.account = t.account and own.tx_lt = t.lt and own.mc_seqno = t.mc_seqno
      where t.hash = ${hash} and ${direction === undefined ? sql`true` : side[direction]})
    select account, lt, mc_seqno from (
      select distinct far.account, far.tx_lt as lt, far.mc_seqno
      from own cross join lateral (
        select account, tx_lt, mc_seqno from messages
        where hash = own.hash and (ordinal = 0) <> (own.ordinal = 0)) far) found ${order}`.execute(db);
  return rows;
}
