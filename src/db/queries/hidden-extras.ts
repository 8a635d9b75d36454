import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** A state whose extra currencies are those of the state before, and the transaction that made it. */
export interface HidingState {
  readonly account: Buffer;
  readonly lt: string;
  readonly mc_seqno: number;
  readonly prev_lt: string;
  readonly state_hash_before: Buffer;
}

/** Blocks show extra currencies when they change. Where they did not for so many transactions, they are not told. */
const MAX_STEPS = 100;

type Extra = Readonly<Record<string, string>>;

/**
 * Finds extra currencies that blocks left out: goes back from transaction to transaction of the account until a state
 * shows them. By account (latin1) and lt together; those that are not found are not there.
 */
export async function readHiddenExtras(
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
  return new Map(rows.map(({ account, lt, extra }) => [account.toString('latin1') + lt, extra]));
}
