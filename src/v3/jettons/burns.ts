import Type from 'typebox';
import { readJettonBurns } from '../../db/queries/token-events.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema } from '../books.ts';
import type { V3Call } from '../call.ts';
import { readEventPage } from '../event-page.ts';
import { eventParams } from '../event-params.ts';
import { accountParam, accountsParam } from '../params/accounts.ts';
import type { PageLimits } from '../params/limit.ts';
import { JETTON_BURN_EXAMPLE, jettonBurnSchema, toJettonBurn } from './burn.ts';

/** Burns of jettons. */
export function createJettonBurns(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'jetton/burns',
    methods: ['GET'],
    tag: 'jettons',
    summary: 'Burns of jettons',
    description: 'What wallets of jettons were asked to burn, newest first; also what was refused.',
    parameters: {
      owner_address: accountsParam({ description: 'Burns that these owners asked for.' }),
      jetton_wallet: accountsParam({ description: 'Burns that these wallets were asked for.' }),
      jetton_master: accountParam({ description: 'Burns of this jetton.' }),
      ...eventParams(limits),
    },
    result: Type.Object({ jetton_burns: Type.Array(jettonBurnSchema), ...booksSchema }),
    cache: 'head',
    examples: [
      {
        title: 'Burns of a jetton',
        params: { jetton_master: JETTON_BURN_EXAMPLE.jetton_master },
        varies: true,
        result: { jetton_burns: [JETTON_BURN_EXAMPLE], address_book: {}, metadata: {} },
      },
      {
        title: 'No order',
        params: { sort: 'up' },
        failure: { code: 422, text: 'wrong value for sort parameter' },
      },
    ],
    handler: async (params, call: V3Call) => {
      const { rows, books } = await readEventPage(call, params, {
        ...{ accounts: params.jetton_wallet, token: params.jetton_master, read: readJettonBurns },
        named: (row) => [row.owner, row.account, row.jetton, row.response_destination],
      });
      return { jetton_burns: rows.map((row) => toJettonBurn(row, call.bodies)), ...books };
    },
  });
}
