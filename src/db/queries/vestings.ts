import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import {
  allRows,
  byId,
  type ListedContract,
  type OrderKey,
  type Page,
  readContractPage,
  rowsWith,
} from './pages.ts';

/** Which vesting wallets are wanted: by their own addresses or by those who have to do with them. */
export type VestingFilter =
  | { readonly accounts: readonly Buffer[] }
  | {
      readonly people: readonly Buffer[];
      /** Those who may be paid count too. */
      readonly countsWhitelist: boolean;
    };

/** Vesting wallets are in the order in which they were found. */
export const VESTING_KEYS: readonly OrderKey[] = [byId('asc')];

/** Vesting wallets. */
export function readVestings(
  db: Kysely<Tables>,
  { filter, page }: { readonly filter: VestingFilter; readonly page: Page },
): Promise<ListedContract<'vestings'>[]> {
  const found =
    'accounts' in filter
      ? { lookups: [rowsWith('vestings', 'account', filter.accounts)], where: [] }
      : { lookups: [allRows('vestings')], where: [concerns(filter)] };
  return readContractPage(db, 'vestings', { ...found, keys: VESTING_KEYS, page });
}

function concerns({ people, countsWhitelist }: Extract<VestingFilter, { people: unknown }>) {
  const isListed = countsWhitelist ? sql` or whitelist && ${people}::bytea[]` : sql``;
  return sql`(owner = any(${people}::bytea[]) or sender = any(${people}::bytea[])${isListed})`;
}
