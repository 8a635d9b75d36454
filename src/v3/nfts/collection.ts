import type { Selectable } from 'kysely';
import Type, { type Static } from 'typebox';
import type { NftCollectionsTable } from '../../db/contract-tables.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { MapOf } from '../map-of.ts';
import { Nullable } from '../nullable.ts';
import { contractStateSchema, toContractState } from '../state-json.ts';

/** A collection of NFTs. */
export const nftCollectionSchema = Type.Object({
  address: PlainText(),
  owner_address: Nullable(PlainText()),
  next_item_index: PlainText({ description: '-1 where items are not numbered.' }),
  collection_content: MapOf(Type.String()),
  ...contractStateSchema,
});

/** Writes a collection. */
export function toNftCollection(row: Selectable<NftCollectionsTable>): Static<typeof nftCollectionSchema> {
  return {
    address: formatAccount(row.account),
    owner_address: row.owner && formatAccount(row.owner),
    next_item_index: row.next_item_index,
    collection_content: row.content,
    ...toContractState(row),
  };
}

/** A collection as the docs page shows it. */
export const NFT_COLLECTION_EXAMPLE: Static<typeof nftCollectionSchema> = {
  address: '0:06D811F426598591B32B2C49F29F66C821368E4ACB1DE16762B04E0174532465',
  owner_address: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  next_item_index: '2',
  collection_content: { uri: 'https://example.org/collection.json' },
  last_transaction_lt: '46000000001',
  code_hash: 'G8ZBk3TCN1gQ5Uk/mCmVkP3aF19ZzF5nY6dPDVU1yxs=',
  data_hash: 'DbvGSdWtsZ6JGxKvkCbhBG3oKw3PqmCH3uVTO4L3C/U=',
};
