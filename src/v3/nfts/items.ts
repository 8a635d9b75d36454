import Type from 'typebox';
import { nftItemKeys, readNftItems } from '../../db/queries/nft-items.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema, loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage } from '../page.ts';
import type { PageLimits } from '../params/limit.ts';
import { readIndex } from '../read-index.ts';
import { NFT_ITEM_EXAMPLE, nftItemSchema, toNftItems } from './item.ts';
import { nftItemFilters, nftItemParams, REFUSALS } from './item-params.ts';

/** NFTs. */
export function createNftItems(limits: PageLimits): Operation<V3Call> {
  const { address, collection_address: collection, owner_address: owner } = NFT_ITEM_EXAMPLE;
  return defineOperation({
    name: 'nft/items',
    methods: ['GET'],
    tag: 'nfts',
    summary: 'NFTs',
    description:
      'By index in one collection; else by owner, collection and index where owners are given; else by address where addresses are; else as found.',
    parameters: nftItemParams(limits),
    result: Type.Object({ nft_items: Type.Array(nftItemSchema), ...booksSchema }),
    cache: 'head',
    examples: [
      {
        title: 'An NFT of a collection',
        params: { collection_address: [collection], index: ['1'] },
        varies: true,
        result: { nft_items: [NFT_ITEM_EXAMPLE], address_book: {}, metadata: {} },
      },
      {
        title: 'Several collections of everybody',
        params: { collection_address: [collection, owner] },
        failure: { code: 422, text: REFUSALS.severalCollections },
      },
      {
        title: 'An index without a collection',
        params: { address: [address], index: ['1'] },
        failure: { code: 422, text: REFUSALS.indexAlone },
      },
      {
        title: 'No index',
        params: { collection_address: [collection], index: ['one'] },
        failure: { code: 422, text: REFUSALS.noDigits },
      },
    ],
    handler: (params, call: V3Call) => {
      const filters = nftItemFilters(params);
      const keys = nftItemKeys(filters);
      const page = openPage(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readNftItems(db, { ...filters, page });
        notePage(call, keys, page, rows);
        const accounts = rows.flatMap(({ account, collection, owner }) => [account, collection, owner]);
        return { nft_items: await toNftItems(db, rows), ...(await loadBooks(call, db, accounts)) };
      });
    },
  });
}
