import Type from 'typebox';
import { nftCollectionKeys, readNftCollections } from '../../db/queries/nft-collections.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema, loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import { accountsParam } from '../params/accounts.ts';
import type { PageLimits } from '../params/limit.ts';
import { readIndex } from '../read-index.ts';
import { NFT_COLLECTION_EXAMPLE, nftCollectionSchema, toNftCollection } from './collection.ts';

const MAX_ADDRESSES = 1024;

/** Collections of NFTs. */
export function createNftCollections(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'nft/collections',
    methods: ['GET'],
    tag: 'nfts',
    summary: 'Collections of NFTs',
    description: 'In the order in which they were found; by address where they are filtered.',
    parameters: {
      collection_address: accountsParam({
        description: 'Collections with these addresses.',
        max: MAX_ADDRESSES,
      }),
      owner_address: accountsParam({ description: 'Collections of these owners.', max: MAX_ADDRESSES }),
      ...pageParams(limits),
    },
    result: Type.Object({ nft_collections: Type.Array(nftCollectionSchema), ...booksSchema }),
    cache: 'head',
    examples: [
      {
        title: 'A collection',
        params: { collection_address: [NFT_COLLECTION_EXAMPLE.address] },
        varies: true,
        result: { nft_collections: [NFT_COLLECTION_EXAMPLE], address_book: {}, metadata: {} },
      },
      {
        title: 'No address',
        params: { owner_address: ['nobody'] },
        failure: {
          code: 422,
          text: 'failed to decode: schema: error converting value for index 0 of "owner_address"',
        },
      },
    ],
    handler: (params, call: V3Call) => {
      const filters = { accounts: params.collection_address, owners: params.owner_address };
      const keys = nftCollectionKeys(filters);
      const page = openPage(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readNftCollections(db, { ...filters, page });
        notePage(call, keys, page, rows);
        const books = await loadBooks(
          call,
          db,
          rows.flatMap(({ account, owner }) => [account, owner]),
        );
        return { nft_collections: rows.map(toNftCollection), ...books };
      });
    },
  });
}
