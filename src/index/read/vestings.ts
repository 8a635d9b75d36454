import { sql } from 'kysely';
import type { Db } from '../../db/tables/tables.ts';
import {
  allRows,
  byId,
  type ListedContract,
  type ListWindow,
  type OrderKey,
  readContractList,
  rowsWith,
} from './lists.ts';

/** Which vesting contracts are wanted: by address, or by owner, sender and whitelist. */
export type VestingFilter =
  | { readonly accounts: readonly Buffer[] }
  | {
      readonly members: readonly Buffer[];
      /** Also contracts with one of them in the whitelist. */
      readonly includesWhitelist: boolean;
    };

/** Vesting contracts are ordered by when they were indexed. */
export const VESTING_KEYS: readonly OrderKey[] = [byId('asc')];

/** Reads a page of vesting contracts. */
export function readVestings(
  db: Db,
  { filter, page }: { readonly filter: VestingFilter; readonly page: ListWindow },
): Promise<ListedContract<'vestings'>[]> {
  const found =
    'accounts' in filter
      ? { lookups: [rowsWith('vestings', 'account', filter.accounts)], where: [] }
      : { lookups: [allRows('vestings')], where: [hasMember(filter)] };
  return readContractList(db, 'vestings', { ...found, keys: VESTING_KEYS, page });
}

function hasMember({ members, includesWhitelist }: Extract<VestingFilter, { members: unknown }>) {
  const isListed = includesWhitelist ? sql` or whitelist && ${members}::bytea[]` : sql``;
  return sql`(owner = any(${members}::bytea[]) or sender = any(${members}::bytea[])${isListed})`;
}
