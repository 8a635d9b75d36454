import Type from 'typebox';
import { type JettonWalletFilters, jettonWalletKeys, readJettonWallets } from '../../db/queries/jettons.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema, loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import { accountsParam } from '../params/accounts.ts';
import { booleanParam } from '../params/boolean.ts';
import { refuse } from '../params/kind.ts';
import type { PageLimits } from '../params/limit.ts';
import { sortParam } from '../params/sort.ts';
import { readIndex } from '../read-index.ts';
import { JETTON_WALLET_EXAMPLE, jettonWalletSchema, toJettonWallet } from './wallet.ts';

const SEVERAL_JETTONS = 'exact one owner_address required for multiple jetton_address';

/** Wallets of jettons. */
export function createJettonWallets(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'jetton/wallets',
    methods: ['GET'],
    tag: 'jettons',
    summary: 'Wallets of jettons',
    description:
      'By owner where owners are given, unless one jetton is; then as found, or by balance with `sort`.',
    parameters: {
      address: accountsParam({ description: 'Wallets with these addresses.' }),
      owner_address: accountsParam({ description: 'Wallets of these owners.' }),
      jetton_address: accountsParam({
        description: 'Wallets of these jettons; several need exactly one owner.',
      }),
      exclude_zero_balance: booleanParam({ description: 'Leave out empty wallets.', fallback: false }),
      ...pageParams(limits),
      sort: sortParam({ description: 'Order by balance.' }),
    },
    result: Type.Object({ jetton_wallets: Type.Array(jettonWalletSchema), ...booksSchema }),
    cache: 'head',
    examples: [
      {
        title: 'What somebody has',
        params: { owner_address: [JETTON_WALLET_EXAMPLE.owner], exclude_zero_balance: true },
        varies: true,
        result: { jetton_wallets: [JETTON_WALLET_EXAMPLE], address_book: {}, metadata: {} },
      },
      {
        title: 'Several jettons of everybody',
        params: { jetton_address: [JETTON_WALLET_EXAMPLE.jetton, JETTON_WALLET_EXAMPLE.owner] },
        failure: { code: 422, text: SEVERAL_JETTONS },
      },
    ],
    handler: (params, call: V3Call) => {
      const filters: JettonWalletFilters = {
        accounts: params.address,
        owners: params.owner_address,
        jettons: params.jetton_address,
        excludeZeroBalance: params.exclude_zero_balance,
        sort: params.sort,
      };
      if (filters.jettons.length > 1 && filters.owners.length !== 1)
        throw refuse('jetton_address', SEVERAL_JETTONS);
      const keys = jettonWalletKeys(filters);
      const page = openPage(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readJettonWallets(db, { ...filters, page });
        notePage(call, keys, page, rows);
        const accounts = rows.flatMap(({ account, owner, jetton }) => [account, owner, jetton]);
        return { jetton_wallets: rows.map(toJettonWallet), ...(await loadBooks(call, db, accounts)) };
      });
    },
  });
}
