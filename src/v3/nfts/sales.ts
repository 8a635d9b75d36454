import Type from 'typebox';
import { readItemsOf } from '../../db/queries/nft-items.ts';
import { readNftSales } from '../../db/queries/nft-sales.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema, loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { accountsParam } from '../params/accounts.ts';
import { readIndex } from '../read-index.ts';
import { NFT_ITEM_EXAMPLE, toNftItems } from './item.ts';
import { accountsOfSales, nftSaleSchema, toNftSales } from './sale.ts';

const SALE = '0:2D4F6B8193A5C7E90B2D4F6B8193A5C7E90B2D4F6B8193A5C7E90B2D4F6B8193';

/** Contracts that sell NFTs. */
export function createNftSales(): Operation<V3Call> {
  return defineOperation({
    name: 'nft/sales',
    methods: ['GET'],
    tag: 'nfts',
    summary: 'Sales and auctions of NFTs',
    description:
      'Sales for a fixed price come first, then auctions, then items of Telegram, each by address.',
    parameters: {
      address: accountsParam({
        description: 'Contracts that sell NFTs.',
        required: true,
        missingText: 'at least 1 address required',
        tooManyText: 'maximum 1000 addresses allowed',
      }),
    },
    result: Type.Object({ nft_sales: Type.Array(nftSaleSchema), ...booksSchema }),
    cache: 'head',
    examples: [
      {
        title: 'A sale',
        params: { address: [SALE] },
        varies: true,
        result: {
          nft_sales: [
            {
              type: 'getgems_sale',
              address: SALE,
              nft_address: NFT_ITEM_EXAMPLE.address,
              nft_owner_address: NFT_ITEM_EXAMPLE.owner_address,
              marketplace_address: SALE,
              created_at: 1730000000,
              last_transaction_lt: '46000000007',
              code_hash: 'JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=',
              data_hash: 'DbvGSdWtsZ6JGxKvkCbhBG3oKw3PqmCH3uVTO4L3C/U=',
              details: { is_complete: false, full_price: '5000000000' },
              nft_item: { ...NFT_ITEM_EXAMPLE, owner_address: SALE },
            },
          ],
          ...{ address_book: {}, metadata: {} },
        },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'at least 1 address required' } },
    ],
    handler: ({ address: accounts }, call: V3Call) =>
      readIndex(call, async (db) => {
        const rows = await readNftSales(db, { accounts });
        const items = await readItemsOf(db, {
          accounts: [...rows.sales, ...rows.auctions].map(({ nft }) => nft),
        });
        const shown = new Map((await toNftItems(db, items)).map((item) => [item.address, item]));
        const named = items.flatMap(({ account, collection, owner }) => [account, collection, owner]);
        const books = await loadBooks(call, db, [...accountsOfSales(rows), ...named]);
        return { nft_sales: toNftSales(rows, shown), ...books };
      }),
  });
}
