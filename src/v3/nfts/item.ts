import type { Kysely } from 'kysely';
import Type, { type Static } from 'typebox';
import { readCollectionsOf } from '../../db/queries/nft-collections.ts';
import type { NftItemRow } from '../../db/queries/nft-items.ts';
import type { Tables } from '../../db/tables.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { MapOf } from '../map-of.ts';
import { Nullable } from '../nullable.ts';
import { contractStateSchema, toContractState } from '../state-json.ts';
import { NFT_COLLECTION_EXAMPLE, nftCollectionSchema, toNftCollection } from './collection.ts';

/** An NFT. */
export const nftItemSchema = Type.Object({
  address: PlainText(),
  init: Type.Boolean(),
  index: Type.String({ description: 'Decimal; of a Telegram item that is for sale its name.' }),
  collection_address: Nullable(PlainText()),
  owner_address: Nullable(PlainText()),
  content: Nullable(MapOf(Type.String()) as ReturnType<typeof MapOf> & { type: 'object' }),
  ...contractStateSchema,
  collection: Nullable(nftCollectionSchema),
  on_sale: Type.Boolean({ description: 'The owner is a contract that sells it.' }),
  sale_contract_address: Type.Optional(PlainText()),
  auction_contract_address: Type.Optional(PlainText()),
  real_owner: Type.Optional(PlainText({ description: 'Who sells it.' })),
});

export type NftItemJson = Static<typeof nftItemSchema>;

type CollectionJson = Static<typeof nftCollectionSchema>;

/** Writes NFTs with their collections, in their order. */
export async function toNftItems(db: Kysely<Tables>, rows: readonly NftItemRow[]): Promise<NftItemJson[]> {
  const named = new Map(rows.flatMap(({ collection: c }) => (c === null ? [] : [[c.toString('latin1'), c]])));
  const collections = await readCollectionsOf(db, { accounts: [...named.values()] });
  const known = new Map(collections.map((row) => [row.account.toString('latin1'), toNftCollection(row)]));
  return rows.map((row) => toNftItem(row, row.collection && known.get(row.collection.toString('latin1'))));
}

function toNftItem(row: NftItemRow, collection: CollectionJson | null | undefined): NftItemJson {
  return {
    address: formatAccount(row.account),
    init: row.init,
    index: row.index,
    collection_address: row.collection && formatAccount(row.collection),
    owner_address: row.owner && formatAccount(row.owner),
    content: row.content,
    ...toContractState(row),
    collection: collection ?? null,
    on_sale: row.sale !== null || row.auction !== null,
    ...(row.sale && { sale_contract_address: formatAccount(row.sale) }),
    ...(row.auction && { auction_contract_address: formatAccount(row.auction) }),
    ...(row.seller && { real_owner: formatAccount(row.seller) }),
  };
}

/** An NFT as the docs page shows it. */
export const NFT_ITEM_EXAMPLE: NftItemJson = {
  address: '0:6B8F5A1C3D7E9F20416385A7C9EB0D2F41638507A9CBED0F21436587A9CBED0F',
  init: true,
  index: '1',
  collection_address: NFT_COLLECTION_EXAMPLE.address,
  owner_address: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  content: { uri: 'https://example.org/1.json' },
  last_transaction_lt: '46000000005',
  code_hash: 'TEqHRLQ8KNy9xxcP3gxYF0x5TSlE33t5wzvUPy7Jiag=',
  data_hash: 'Tq9fm3yQbQ2pDMnVVqvY8nBRqwYRNUWzQDXWO3T2cmg=',
  collection: NFT_COLLECTION_EXAMPLE,
  on_sale: false,
};
