import type { Selectable } from 'kysely';
import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import { type OrderAction, orderAccounts, parseOrder } from '../chain/contracts/multisig-order.ts';
import type { MultisigOrdersTable } from '../db/tables/contract-tables.ts';
import { byId } from '../index/read/lists.ts';
import { readMultisigOrders, readMultisigs, readOrdersOf } from '../index/read/multisigs.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { loadAddressBookFields, withAddressBook } from './address-book.ts';
import { readList, sortedWindowParams } from './list-parameters.ts';
import { orderActionSchema, toOrderAction } from './multisig-order-actions.ts';
import { defineV3Operation, type ListLimits } from './operation.ts';
import { accountsParam, booleanParam, MAX_ADDRESSES } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import {
  account,
  accounts,
  base64,
  contractState,
  defineRow,
  flag,
  int64,
  member,
  text,
} from './row-json.ts';
import { Nullable } from './values.ts';

type MultisigOrderRow = Selectable<MultisigOrdersTable>;

export const createMultisigWallets = (limits: ListLimits) =>
  defineV3Operation({
    name: 'multisig/wallets',
    tag: 'multisig',
    summary: 'Multisig wallets',
    description: 'Ordered by when they were indexed, the newest first.',
    parameters: {
      address: accountsParam('Multisig wallet addresses.', { max: MAX_ADDRESSES }),
      wallet_address: accountsParam('Multisig wallets with one of these as signer or proposer.', {
        max: MAX_ADDRESSES,
      }),
      ...sortedWindowParams(limits),
      include_orders: booleanParam('Include the orders of the wallets.', { fallback: true }),
    },
    result: withAddressBook('MultisigResponse', { multisigs: Type.Array(multisig.schema) }),
    handler: (params, call) => {
      const { address: accounts, wallet_address: members, sort, include_orders } = params;
      if (accounts.length === 0 && members.length === 0)
        throw invalidParameter('address', 'At least one of address or wallet_address should be specified');
      return readList(call, params, {
        keys: [byId(sort)],
        read: (db, page) => readMultisigs(db, { accounts, members, sort, page }),
        show: async (rows, db) => {
          const multisigs = rows.map(({ account }) => account);
          const orders = include_orders ? await readOrdersOf(db, { multisigs }) : [];
          const byMultisig = Map.groupBy(orders, (order) => bytesKey(order.multisig));
          const noOrders = include_orders ? null : [];
          const shown = rows.map((row) => ({
            ...row,
            orders: byMultisig.get(bytesKey(row.account)) ?? noOrders,
          }));
          const shownAccounts = [...multisig.accountsOf(shown), ...multisigOrder.accountsOf(orders)];
          return {
            multisigs: shown.map(multisig.write),
            ...(await loadAddressBookFields(call, db, shownAccounts)),
          };
        },
      });
    },
  });

const multisigOrder = defineRow('MultisigOrder', {
  address: account('account'),
  multisig_address: account('multisig'),
  order_seqno: text('order_seqno'),
  threshold: int64('threshold'),
  sent_for_execution: flag('sent_for_execution'),
  approvals_mask: text('approvals_mask'),
  approvals_num: int64('approvals_num'),
  expiration_date: int64('expiration_date'),
  order_boc: base64('order_boc'),
  signers: accounts('signers'),
  ...contractState,
  actions: member(
    Nullable(
      Type.Array(orderActionSchema, {
        description: 'Null without `parse_actions`, and if the order cannot be parsed.',
      }),
    ),
    ({ actions }: { readonly actions?: readonly OrderAction[] | undefined }) =>
      actions?.map(toOrderAction) ?? null,
  ),
});

const multisig = defineRow('Multisig', {
  address: account('account'),
  next_order_seqno: text('next_order_seqno', '-1 if orders are not numbered.'),
  threshold: int64('threshold'),
  signers: accounts('signers'),
  proposers: accounts('proposers'),
  ...contractState,
  orders: member(
    Nullable(
      Type.Array(multisigOrder.schema, {
        description: 'Null if there are none, empty without `include_orders`.',
      }),
    ),
    ({ orders }: { readonly orders: readonly MultisigOrderRow[] | null }) =>
      orders?.map(multisigOrder.write) ?? null,
  ),
});

export const createMultisigOrders = (limits: ListLimits) =>
  defineV3Operation({
    name: 'multisig/orders',
    tag: 'multisig',
    summary: 'Multisig orders',
    description: 'Ordered by when they were indexed, the newest first.',
    parameters: {
      address: accountsParam('Order addresses.', { max: MAX_ADDRESSES }),
      multisig_address: accountsParam('Orders of these multisig wallets.', { max: MAX_ADDRESSES }),
      parse_actions: booleanParam('Parse the actions of the orders.', { fallback: false }),
      ...sortedWindowParams(limits),
    },
    result: withAddressBook('MultisigOrderResponse', { orders: Type.Array(multisigOrder.schema) }),
    handler: (params, call) => {
      const { address: accounts, multisig_address: multisigs, sort } = params;
      if (accounts.length === 0 && multisigs.length === 0)
        throw invalidParameter('address', 'At least one of address or multisig_address should be specified');
      return readList(call, params, {
        keys: [byId(sort)],
        read: (db, page) => readMultisigOrders(db, { accounts, multisigs, sort, page }),
        show: async (rows, db) => {
          const orders = rows.map((row) => ({
            ...row,
            actions: params.parse_actions ? parseOrder(row.order_boc) : undefined,
          }));
          const ofActions = orders.flatMap(({ actions = [] }) => orderAccounts(actions).map(toAccountBytes));
          const shownAccounts = [...multisigOrder.accountsOf(orders), ...ofActions];
          return {
            orders: orders.map(multisigOrder.write),
            ...(await loadAddressBookFields(call, db, shownAccounts)),
          };
        },
      });
    },
  });
