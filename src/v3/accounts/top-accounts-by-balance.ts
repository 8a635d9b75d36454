import Type from 'typebox';
import { readTopAccounts, TOP_ACCOUNTS_ORDER } from '../../db/queries/top-accounts.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import type { PageLimits } from '../params/limit.ts';
import { readIndex } from '../read-index.ts';

/** Accounts by what they have. */
export function createTopAccountsByBalance(limits: PageLimits): Operation<V3Call> {
  const { maxLimit } = limits;
  return defineOperation({
    name: 'topAccountsByBalance',
    methods: ['GET'],
    tag: 'stats',
    summary: 'Accounts by balance',
    description: 'The richest first; of those with the same balance, by address.',
    parameters: pageParams(limits),
    result: Type.Array(
      Type.Object({ account: PlainText(), balance: PlainText({ description: 'Nanotons.' }) }),
    ),
    cache: 'head',
    examples: [
      {
        title: 'The richest',
        params: { limit: 1 },
        varies: true,
        result: [
          {
            account: '-1:3333333333333333333333333333333333333333333333333333333333333333',
            balance: '1000000000000000',
          },
        ],
      },
      {
        title: 'Too many',
        params: { limit: maxLimit + 1 },
        failure: { code: 422, text: `limit is not allowed: ${maxLimit + 1} > ${maxLimit}` },
      },
    ],
    handler: async (params, call: V3Call) => {
      const page = openPage(params, TOP_ACCOUNTS_ORDER);
      const rows = await readIndex(call, (db) => readTopAccounts(db, { page }));
      notePage(call, TOP_ACCOUNTS_ORDER, page, rows);
      return rows.map(({ account, balance }) => ({ account: formatAccount(account), balance }));
    },
  });
}
