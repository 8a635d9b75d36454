import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Hashes of traces themselves, of transactions in them, or of messages in them. */
export interface TraceHashes {
  readonly of: 'traces' | 'transactions' | 'messages';
  readonly values: readonly Buffer[];
}

/** The ids of the traces that hashes tell. */
export async function findTraceIds(
  db: Kysely<Tables>,
  { of, values }: TraceHashes,
): Promise<readonly Buffer[]> {
  if (of === 'traces') return values;
  const { rows } =
    of === 'transactions'
      ? await sql<IdRow>`select distinct trace_id from transactions where hash = any(${values}::bytea[])`.execute(
          db,
        )
      : await readTracesOfMessages(db, values);
  return rows.map(({ trace_id }) => trace_id);
}

interface IdRow {
  readonly trace_id: Buffer;
}

/** The message that a trace began with is looked for in the trace too: it may outlive the transaction that received it. */
function readTracesOfMessages(db: Kysely<Tables>, values: readonly Buffer[]) {
  const hashes = sql`any(${values}::bytea[])`;
  return sql<IdRow>`
    with found as materialized (
      select account, tx_lt, mc_seqno from messages where hash = ${hashes} union
      select account, tx_lt, mc_seqno from messages where hash_norm = ${hashes})
    select trace_id from found join lateral (
      select trace_id from transactions
      where account = found.account and lt = found.tx_lt and mc_seqno = found.mc_seqno) t on true union
    select trace_id from traces where external_hash = ${hashes} union
    select trace_id from traces where external_hash_norm = ${hashes}`.execute(db);
}
