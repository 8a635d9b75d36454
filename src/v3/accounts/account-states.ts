import Type from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { toAccountBytes } from '../account-bytes.ts';
import { createNaming } from '../address-book.ts';
import { booksSchema } from '../books.ts';
import type { V3Call } from '../call.ts';
import { booleanParam } from '../params/boolean.ts';
import { accountListParams } from './account-list-params.ts';
import { accountState, accountStateSchema } from './account-state.ts';
import { loadAccounts } from './load-accounts.ts';

const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333';
const HASH = 'kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=';

/** Accounts with their code and data. */
export function createAccountStates(): Operation<V3Call> {
  return defineOperation({
    name: 'accountStates',
    methods: ['GET'],
    tag: 'accounts',
    summary: 'Newest states of accounts',
    description: 'Accounts that nobody knows are left out. The order is that of the addresses.',
    parameters: {
      ...accountListParams(),
      include_boc: booleanParam({ description: 'Whether code and data are shown.', fallback: true }),
    },
    result: Type.Object({ accounts: Type.Array(accountStateSchema), ...booksSchema }),
    cache: 'head',
    examples: [
      {
        title: 'A contract',
        params: { address: [ELECTOR], include_boc: false },
        varies: true,
        result: {
          accounts: [
            {
              address: ELECTOR,
              account_state_hash: HASH,
              balance: '10000000000',
              extra_currencies: {},
              status: 'active',
              last_transaction_hash: HASH,
              last_transaction_lt: '1000001',
              data_hash: HASH,
              code_hash: HASH,
              contract_methods: [0, 85143],
              interfaces: [],
            },
          ],
          address_book: {
            [ELECTOR]: {
              user_friendly: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
              domain: null,
              interfaces: [],
            },
          },
          metadata: {},
        },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'address of account is required' } },
    ],
    handler: async ({ address, code_hash, include_boc: includeBoc }, call: V3Call) => {
      const { rows, ...books } = await loadAccounts(call, {
        accounts: address.map(toAccountBytes),
        codeHashes: code_hash,
        wish: { codes: true, dataOf: () => includeBoc },
      });
      const namesOf = createNaming();
      return { accounts: rows.map((row) => accountState(row, { includeBoc, namesOf })), ...books };
    },
  });
}
