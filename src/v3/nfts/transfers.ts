import Type from 'typebox';
import { readNftTransfers } from '../../db/queries/token-events.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema } from '../books.ts';
import type { V3Call } from '../call.ts';
import { readEventPage } from '../event-page.ts';
import { directionParam, eventParams } from '../event-params.ts';
import { accountParam, accountsParam } from '../params/accounts.ts';
import type { PageLimits } from '../params/limit.ts';
import { NFT_TRANSFER_EXAMPLE, nftTransferSchema, toNftTransfer } from './transfer.ts';

/** Transfers of NFTs. */
export function createNftTransfers(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'nft/transfers',
    methods: ['GET'],
    tag: 'nfts',
    summary: 'Transfers of NFTs',
    description: 'Where NFTs were asked to go, newest first; also what was refused.',
    parameters: {
      owner_address: accountsParam({ description: 'Transfers from and to these owners.' }),
      item_address: accountsParam({ description: 'Transfers of these NFTs.' }),
      collection_address: accountParam({ description: 'Transfers of NFTs of this collection.' }),
      direction: directionParam(),
      ...eventParams(limits),
    },
    result: Type.Object({ nft_transfers: Type.Array(nftTransferSchema), ...booksSchema }),
    cache: 'head',
    examples: [
      {
        title: 'What somebody sent',
        params: { owner_address: [NFT_TRANSFER_EXAMPLE.old_owner], direction: 'out' },
        varies: true,
        result: { nft_transfers: [NFT_TRANSFER_EXAMPLE], address_book: {}, metadata: {} },
      },
      {
        title: 'No direction',
        params: { direction: 'up' },
        failure: { code: 422, text: 'direction should be one of: in, out, both' },
      },
    ],
    handler: async (params, call: V3Call) => {
      const { rows, books } = await readEventPage(call, params, {
        ...{ accounts: params.item_address, token: params.collection_address, read: readNftTransfers },
        named: (row) => [row.account, row.collection, row.old_owner, row.new_owner, row.response_destination],
      });
      return { nft_transfers: rows.map((row) => toNftTransfer(row, call.bodies)), ...books };
    },
  });
}
