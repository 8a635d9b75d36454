import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { ContractCode } from '../decode/decoded-seqno.ts';

/** The codes among some hashes, with their methods. */
export async function readContractCodes(
  db: Kysely<Tables>,
  hashes: readonly Buffer[],
): Promise<readonly ContractCode[]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<{ hash: Buffer; boc: Buffer; methods: readonly string[] | null }>`
    select hash, boc, methods from contract_codes where hash = any(${hashes})
  `.execute(db);
  return rows.map(({ hash, boc, methods }) => ({ hash, boc, methods: methods?.map(Number) }));
}

/** The newest state that the index has of an account. */
export interface KeptState {
  readonly account: Buffer;
  readonly balance: string;
  readonly codeHash: Buffer | null;
  readonly dataHash: Buffer | null;
  /** Null where it is not known, or there is none. */
  readonly data: Buffer | null;
}

/**
 * The newest states of some accounts. With `follows`, only those that are sure to be the newest of the chain: what is
 * from before a gap of the index may have changed in the gap, so it must be of the chunk that follows the head or of
 * the finished one right before it.
 */
export async function readKeptStates(
  db: Kysely<Tables>,
  { accounts, follows }: { readonly accounts: readonly Buffer[]; readonly follows: boolean },
): Promise<readonly KeptState[]> {
  const { rows } = await sql<KeptState>`
    with head as (select first_seqno from index_chunks where last_seqno is null), whole as (
      select min(first_seqno) as first_seqno from (
        select first_seqno from head
        union all select chunk.first_seqno from index_chunks chunk join head
          on chunk.last_seqno = head.first_seqno - 1 and chunk.done_seqno = chunk.last_seqno
      ) one
    )
    select state.account, state.balance, state.code_hash as "codeHash", state.data_hash as "dataHash",
      data.boc as data
    from latest_account_states state
    left join account_data data on data.account = state.account and data.hash = state.data_hash
    where state.account = any(${accounts})
      -- Accounts that the chain began with are of the seqno before the first.
      and (not ${follows} or state.mc_seqno >= coalesce((select first_seqno - 1 from whole), 0))
  `.execute(db);
  return rows;
}
