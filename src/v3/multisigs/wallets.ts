import Type from 'typebox';
import { byId } from '../../db/queries/contract-page.ts';
import { readMultisigs, readOrdersOf } from '../../db/queries/multisigs.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { bookSchema, loadBook } from '../books.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import { accountsParam } from '../params/accounts.ts';
import { booleanParam } from '../params/boolean.ts';
import { refuse } from '../params/kind.ts';
import type { PageLimits } from '../params/limit.ts';
import { sortParam } from '../params/sort.ts';
import { readIndex } from '../read-index.ts';
import { MULTISIG_EXAMPLE, multisigSchema, toMultisigs } from './wallet.ts';

const MAX_ADDRESSES = 1024;
const NEITHER = 'At least one of address or wallet_address should be specified';

/** Multisig wallets. */
export function createMultisigWallets(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'multisig/wallets',
    methods: ['GET'],
    tag: 'multisig',
    summary: 'Multisig wallets',
    description: 'What was found last comes first.',
    parameters: {
      address: accountsParam({ description: 'Wallets with these addresses.', max: MAX_ADDRESSES }),
      wallet_address: accountsParam({
        description: 'Wallets of which one of these is a signer or a proposer.',
        max: MAX_ADDRESSES,
      }),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
      include_orders: booleanParam({ description: 'Show the orders of the wallets.', fallback: true }),
    },
    result: Type.Object({ multisigs: Type.Array(multisigSchema), ...bookSchema }),
    cache: 'head',
    examples: [
      {
        title: 'A wallet with its orders',
        params: { address: [MULTISIG_EXAMPLE.address] },
        varies: true,
        result: { multisigs: [MULTISIG_EXAMPLE], address_book: {} },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NEITHER } },
    ],
    handler: (params, call: V3Call) => {
      const { address: accounts, wallet_address: people, sort, include_orders } = params;
      if (accounts.length === 0 && people.length === 0) throw refuse('address', NEITHER);
      const keys = [byId(sort)];
      const page = openPage(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readMultisigs(db, { accounts, people, sort, page });
        notePage(call, keys, page, rows);
        const multisigs = rows.map(({ account }) => account);
        const orders = include_orders ? await readOrdersOf(db, { multisigs }) : undefined;
        const named = [
          ...rows.flatMap(({ account, signers, proposers }) => [account, ...signers, ...proposers]),
          ...(orders ?? []).flatMap(({ account, signers }) => [account, ...signers]),
        ];
        return { multisigs: toMultisigs(rows, orders), ...(await loadBook(call, db, named)) };
      });
    },
  });
}
