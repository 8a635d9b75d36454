import type { Selectable } from 'kysely';
import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import { type OrderAction, orderAccounts, parseOrder } from '../chain/contracts/multisig-order.ts';
import type { MultisigOrdersTable } from '../db/tables/contract-tables.ts';
import { byId } from '../index/read/lists.ts';
import { readMultisigOrders, readMultisigs, readOrdersOf } from '../index/read/multisigs.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { loadAddressBookFields, withAddressBook } from './address-book.ts';
import { type ListLimits, noteNextCursor, sortedWindowParams, toWindow } from './list-parameters.ts';
import { orderActionSchema, toOrderAction } from './multisig-order-actions.ts';
import { defineV3Operation } from './operation.ts';
import { accountsParam, booleanParam, MAX_ADDRESSES } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex } from './read-index.ts';
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

/** Multisig wallets. */
export function createMultisigWallets(limits: ListLimits) {
  return defineV3Operation({
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
      const keys = [byId(sort)];
      const page = toWindow(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readMultisigs(db, { accounts, members, sort, page });
        noteNextCursor(call, keys, page, rows);
        const multisigs = rows.map(({ account }) => account);
        const orders = include_orders ? await readOrdersOf(db, { multisigs }) : undefined;
        const byMultisig = orders && Map.groupBy(orders, (order) => bytesKey(order.multisig));
        const shownAccounts = [
          ...rows.flatMap(({ account, signers, proposers }) => [account, ...signers, ...proposers]),
          ...(orders ?? []).flatMap(({ account, signers }) => [account, ...signers]),
        ];
        return {
          multisigs: rows.map((row) =>
            multisig.write({
              ...row,
              orders: byMultisig === undefined ? [] : (byMultisig.get(bytesKey(row.account)) ?? null),
            }),
          ),
          ...(await loadAddressBookFields(call, db, shownAccounts)),
        };
      });
    },
  });
}

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

/** Orders of multisig wallets. */
export function createMultisigOrders(limits: ListLimits) {
  return defineV3Operation({
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
      const keys = [byId(sort)];
      const page = toWindow(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readMultisigOrders(db, { accounts, multisigs, sort, page });
        noteNextCursor(call, keys, page, rows);
        const orders = rows.map((row) => ({
          ...row,
          actions: params.parse_actions ? parseOrder(row.order_boc) : undefined,
        }));
        const shownAccounts = orders.flatMap(({ account, multisig, signers, actions = [] }) => [
          account,
          multisig,
          ...signers,
          ...orderAccounts(actions).map(toAccountBytes),
        ]);
        return {
          orders: orders.map(multisigOrder.write),
          ...(await loadAddressBookFields(call, db, shownAccounts)),
        };
      });
    },
  });
}
