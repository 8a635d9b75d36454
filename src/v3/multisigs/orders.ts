import Type from 'typebox';
import { accountsOfOrder } from '../../chain/contracts/multisig-order/accounts-of-order.ts';
import { parseOrder } from '../../chain/contracts/multisig-order/parse-order.ts';
import { byId } from '../../db/queries/contract-page.ts';
import { readMultisigOrders } from '../../db/queries/multisigs.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { toAccountBytes } from '../account-bytes.ts';
import { bookSchema, loadBook } from '../books.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import { accountsParam } from '../params/accounts.ts';
import { booleanParam } from '../params/boolean.ts';
import { refuse } from '../params/kind.ts';
import type { PageLimits } from '../params/limit.ts';
import { sortParam } from '../params/sort.ts';
import { readIndex } from '../read-index.ts';
import { MULTISIG_ORDER_EXAMPLE, multisigOrderSchema, toMultisigOrder } from './order.ts';

const MAX_ADDRESSES = 1024;
const NEITHER = 'At least one of address or multisig_address should be specified';

/** Orders of multisig wallets. */
export function createMultisigOrders(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'multisig/orders',
    methods: ['GET'],
    tag: 'multisig',
    summary: 'Orders of multisig wallets',
    description: 'What was found last comes first.',
    parameters: {
      address: accountsParam({ description: 'Orders with these addresses.', max: MAX_ADDRESSES }),
      multisig_address: accountsParam({ description: 'Orders of these wallets.', max: MAX_ADDRESSES }),
      parse_actions: booleanParam({ description: 'Tell what the orders do.', fallback: false }),
      ...pageParams(limits),
      sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
    },
    result: Type.Object({ orders: Type.Array(multisigOrderSchema), ...bookSchema }),
    cache: 'head',
    examples: [
      {
        title: 'Orders of a wallet',
        params: { multisig_address: [MULTISIG_ORDER_EXAMPLE.multisig_address] },
        varies: true,
        result: { orders: [MULTISIG_ORDER_EXAMPLE], address_book: {} },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NEITHER } },
    ],
    handler: (params, call: V3Call) => {
      const { address: accounts, multisig_address: multisigs, sort } = params;
      if (accounts.length === 0 && multisigs.length === 0) throw refuse('address', NEITHER);
      const keys = [byId(sort)];
      const page = openPage(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readMultisigOrders(db, { accounts, multisigs, sort, page });
        notePage(call, keys, page, rows);
        const orders = rows.map((row) => ({
          row,
          actions: params.parse_actions ? parseOrder(row.order_boc) : undefined,
        }));
        const named = orders.flatMap(({ row, actions = [] }) => [
          ...[row.account, row.multisig, ...row.signers],
          ...accountsOfOrder(actions).map(toAccountBytes),
        ]);
        const shown = orders.map(({ row, actions }) => toMultisigOrder(row, actions));
        return { orders: shown, ...(await loadBook(call, db, named)) };
      });
    },
  });
}
