import type { Kysely, Selectable } from 'kysely';
import type { NftCollectionsTable } from '../contract-tables.ts';
import type { Tables } from '../tables.ts';
import { BY_ACCOUNT, byId, type ListedContract, readContractPage } from './contract-page.ts';
import { lookUpBy } from './looked-up-page.ts';
import type { OrderKey, Page } from './page.ts';

/** Which collections are wanted; an empty list does not count. */
interface NftCollectionFilters {
  readonly accounts: readonly Buffer[];
  readonly owners: readonly Buffer[];
}

/** Collections are in the order in which they were found, or by address where they are filtered. */
export function nftCollectionKeys({ accounts, owners }: NftCollectionFilters): OrderKey[] {
  return [accounts.length > 0 || owners.length > 0 ? BY_ACCOUNT : byId('asc')];
}

/** Collections of NFTs. */
export function readNftCollections(
  db: Kysely<Tables>,
  query: NftCollectionFilters & { readonly page: Page },
): Promise<ListedContract<'nft_collections'>[]> {
  const found = lookUpBy('nft_collections', { account: query.accounts, owner: query.owners });
  return readContractPage(db, 'nft_collections', {
    ...found,
    keys: nftCollectionKeys(query),
    page: query.page,
  });
}

/** The collections with these addresses, in any order. */
export async function readCollectionsOf(
  db: Kysely<Tables>,
  { accounts }: { readonly accounts: readonly Buffer[] },
): Promise<Selectable<NftCollectionsTable>[]> {
  if (accounts.length === 0) return [];
  return db.selectFrom('nft_collections').selectAll().where('account', 'in', accounts).execute();
}
