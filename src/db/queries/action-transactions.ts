import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { readWholeTransactions, type TransactionKey, type WholeTransaction } from './whole-transactions.ts';

/** A transaction and the trace that it is in. */
export interface TracedTransaction {
  readonly hash: Buffer;
  readonly trace_id: Buffer;
}

/** The traces of transactions; those that the index does not have are left out. */
export async function readTracedTransactions(
  db: Kysely<Tables>,
  { hashes }: { readonly hashes: readonly Buffer[] },
): Promise<readonly TracedTransaction[]> {
  const { rows } = await sql<TracedTransaction>`
    select hash, trace_id from transactions where hash = any(${hashes}::bytea[])`.execute(db);
  return rows;
}

/**
 * The transactions that sent or received messages, which are called by their hash or their normalized hash. The first
 * transaction of a trace has the id of the trace as its hash: it is known even where its own row is no longer kept.
 */
export async function readTransactionsOfMessages(
  db: Kysely<Tables>,
  { hashes }: { readonly hashes: readonly Buffer[] },
): Promise<readonly TracedTransaction[]> {
  const isNamed = sql`any(${hashes}::bytea[])`;
  const { rows } = await sql<TracedTransaction>`
    with found as materialized (
      select account, tx_lt, mc_seqno from messages where hash = ${isNamed} union
      select account, tx_lt, mc_seqno from messages where hash_norm = ${isNamed})
    select t.hash, t.trace_id from found join lateral (
      select hash, trace_id from transactions
      where account = found.account and lt = found.tx_lt and mc_seqno = found.mc_seqno) t on true union
    select trace_id, trace_id from traces where external_hash = ${isNamed} union
    select trace_id, trace_id from traces where external_hash_norm = ${isNamed}`.execute(db);
  return rows;
}

/** Transactions with all that belongs to them, by their hashes; those that the index does not have are left out. */
export async function readTransactionsByHash(
  db: Kysely<Tables>,
  { hashes }: { readonly hashes: readonly Buffer[] },
): Promise<WholeTransaction[]> {
  const distinct = [...new Map(hashes.map((hash) => [hash.toString('latin1'), hash])).values()];
  const { rows: keys } = await sql<TransactionKey>`
    select account, lt, mc_seqno from transactions where hash = any(${distinct}::bytea[])`.execute(db);
  return readWholeTransactions(db, { keys });
}
