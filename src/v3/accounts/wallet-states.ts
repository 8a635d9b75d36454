import Type from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { toAccountBytes } from '../account-bytes.ts';
import { booksSchema } from '../books.ts';
import type { V3Call } from '../call.ts';
import { accountListParams } from './account-list-params.ts';
import { loadAccounts } from './load-accounts.ts';
import { WALLET_CELLS, walletState, walletStateSchema } from './wallet-state.ts';

const WALLET = '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE';
const V4R2 = '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=';
const HASH = 'kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=';

/** Accounts as wallets. */
export function createWalletStates(): Operation<V3Call> {
  return defineOperation({
    name: 'walletStates',
    methods: ['GET'],
    tag: 'accounts',
    summary: 'Newest states of wallets',
    description:
      'Wallets v1 to v5 are known by their code; other accounts have `is_wallet` false. Accounts that nobody knows are left out.',
    parameters: accountListParams(),
    result: Type.Object({ wallets: Type.Array(walletStateSchema), ...booksSchema }),
    cache: 'head',
    examples: [
      {
        title: 'A wallet',
        params: { address: [WALLET] },
        varies: true,
        result: {
          wallets: [
            {
              address: WALLET,
              is_wallet: true,
              wallet_type: 'wallet v4 r2',
              seqno: 7,
              wallet_id: 698983191,
              balance: '1000000000',
              status: 'active',
              code_hash: V4R2,
              last_transaction_hash: HASH,
              last_transaction_lt: '1000001',
            },
          ],
          address_book: {
            [WALLET]: {
              user_friendly: 'UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_ktM',
              domain: null,
              interfaces: ['wallet_v4r2'],
            },
          },
          metadata: {},
        },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'address of account is required' } },
    ],
    handler: async ({ address, code_hash: codeHashes }, call: V3Call) => {
      const accounts = address.map(toAccountBytes);
      const { rows, ...books } = await loadAccounts(call, { accounts, codeHashes, wish: WALLET_CELLS });
      return { wallets: rows.map(walletState), ...books };
    },
  });
}
