import Type from 'typebox';
import { readJettonTransfers } from '../../db/queries/token-events.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema } from '../books.ts';
import type { V3Call } from '../call.ts';
import { readEventPage } from '../event-page.ts';
import { directionParam, eventParams } from '../event-params.ts';
import { accountParam, accountsParam } from '../params/accounts.ts';
import type { PageLimits } from '../params/limit.ts';
import { JETTON_TRANSFER_EXAMPLE, jettonTransferSchema, toJettonTransfer } from './transfer.ts';

/** Transfers of jettons. */
export function createJettonTransfers(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'jetton/transfers',
    methods: ['GET'],
    tag: 'jettons',
    summary: 'Transfers of jettons',
    description:
      'What wallets of jettons were asked to send, newest first. Requests that were refused are left out; whether the wallet of the receiver took it is not told.',
    parameters: {
      owner_address: accountsParam({ description: 'Transfers from and to these owners.' }),
      jetton_wallet: accountsParam({ description: 'Transfers that these wallets were asked for.' }),
      jetton_master: accountParam({ description: 'Transfers of this jetton.' }),
      direction: directionParam(),
      ...eventParams(limits),
    },
    result: Type.Object({ jetton_transfers: Type.Array(jettonTransferSchema), ...booksSchema }),
    cache: 'head',
    examples: [
      {
        title: 'What somebody sent',
        params: { owner_address: [JETTON_TRANSFER_EXAMPLE.source], direction: 'out' },
        varies: true,
        result: { jetton_transfers: [JETTON_TRANSFER_EXAMPLE], address_book: {}, metadata: {} },
      },
      {
        title: 'No direction',
        params: { direction: 'up' },
        failure: { code: 422, text: 'direction should be one of: in, out, both' },
      },
    ],
    handler: async (params, call: V3Call) => {
      const { rows, books } = await readEventPage(call, params, {
        ...{ accounts: params.jetton_wallet, token: params.jetton_master, read: readJettonTransfers },
        named: (row) => [row.source, row.destination, row.account, row.jetton, row.response_destination],
      });
      return { jetton_transfers: rows.map((row) => toJettonTransfer(row, call.bodies)), ...books };
    },
  });
}
