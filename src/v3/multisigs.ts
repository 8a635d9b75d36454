import type { Selectable } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import { type OrderAction, orderAccounts, parseOrder } from '../chain/contracts/multisig-order.ts';
import type { MultisigOrdersTable, MultisigsTable } from '../db/tables/contract-tables.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import { byId } from '../index/read/lists.ts';
import { readMultisigOrders, readMultisigs, readOrdersOf } from '../index/read/multisigs.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { addressBookFields, loadAddressBookFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { type ListLimits, noteNextCursor, sortParam, toWindow, windowParams } from './list-parameters.ts';
import { orderActionSchema, toOrderAction } from './multisig-order-actions.ts';
import { accountsParam, booleanParam, MAX_ADDRESSES } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { contractStateSchema, formatAccount, Nullable, toContractState } from './values.ts';

const WALLET_FILTER_REQUIRED = 'At least one of address or wallet_address should be specified';

/** Multisig wallets. */
export function createMultisigWallets(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'multisig/wallets',
    methods: ['GET'],
    tag: 'multisig',
    summary: 'Multisig wallets',
    description: 'Ordered by when they were indexed, the newest first.',
    parameters: {
      address: accountsParam({ description: 'Multisig wallet addresses.', max: MAX_ADDRESSES }),
      wallet_address: accountsParam({
        description: 'Multisig wallets with one of these as signer or proposer.',
        max: MAX_ADDRESSES,
      }),
      ...windowParams(limits),
      sort: sortParam({ description: 'Sort direction.', fallback: 'desc' }),
      include_orders: booleanParam({ description: 'Include the orders of the wallets.', fallback: true }),
    },
    result: Type.Object(
      { multisigs: Type.Array(multisigSchema), ...addressBookFields },
      { title: 'MultisigResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('multisig/wallets'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: WALLET_FILTER_REQUIRED } },
    ],
    handler: (params, call: V3Call) => {
      const { address: accounts, wallet_address: members, sort, include_orders } = params;
      if (accounts.length === 0 && members.length === 0)
        throw invalidParameter('address', WALLET_FILTER_REQUIRED);
      const keys = [byId(sort)];
      const page = toWindow(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readMultisigs(db, { accounts, members, sort, page });
        noteNextCursor(call, keys, page, rows);
        const multisigs = rows.map(({ account }) => account);
        const orders = include_orders ? await readOrdersOf(db, { multisigs }) : undefined;
        const shownAccounts = [
          ...rows.flatMap(({ account, signers, proposers }) => [account, ...signers, ...proposers]),
          ...(orders ?? []).flatMap(({ account, signers }) => [account, ...signers]),
        ];
        return {
          multisigs: toMultisigs(rows, orders),
          ...(await loadAddressBookFields(call, db, shownAccounts)),
        };
      });
    },
  });
}

const multisigOrderSchema = Type.Object(
  {
    address: PlainText(),
    multisig_address: PlainText(),
    order_seqno: PlainText(),
    threshold: Int64(),
    sent_for_execution: Type.Boolean(),
    approvals_mask: PlainText(),
    approvals_num: Int64(),
    expiration_date: Int64(),
    order_boc: PlainText(),
    signers: Type.Array(PlainText()),
    ...contractStateSchema,
    actions: Nullable(
      Type.Array(orderActionSchema, {
        description: 'Null without `parse_actions`, and if the order cannot be parsed.',
      }),
    ),
  },
  { title: 'MultisigOrder' },
);

/** Writes an order; actions are undefined if they were not requested or cannot be parsed. */
function toMultisigOrder(
  row: Selectable<MultisigOrdersTable>,
  actions: readonly OrderAction[] | undefined,
): Static<typeof multisigOrderSchema> {
  return {
    address: formatAccount(row.account),
    multisig_address: formatAccount(row.multisig),
    order_seqno: row.order_seqno,
    threshold: BigInt(row.threshold),
    sent_for_execution: row.sent_for_execution,
    approvals_mask: row.approvals_mask,
    approvals_num: BigInt(row.approvals_num),
    expiration_date: BigInt(row.expiration_date),
    order_boc: row.order_boc.toString('base64'),
    signers: row.signers.map(formatAccount),
    ...toContractState(row),
    actions: actions?.map(toOrderAction) ?? null,
  };
}

const multisigSchema = Type.Object(
  {
    address: PlainText(),
    next_order_seqno: PlainText({ description: '-1 if orders are not numbered.' }),
    threshold: Int64(),
    signers: Type.Array(PlainText()),
    proposers: Type.Array(PlainText()),
    ...contractStateSchema,
    orders: Nullable(
      Type.Array(multisigOrderSchema, {
        description: 'Null if there are none, empty without `include_orders`.',
      }),
    ),
  },
  { title: 'Multisig' },
);

type MultisigJson = Static<typeof multisigSchema>;

/** Writes multisig wallets; orders are undefined if they were not requested. */
function toMultisigs(
  rows: readonly Selectable<MultisigsTable>[],
  orders: readonly Selectable<MultisigOrdersTable>[] | undefined,
): MultisigJson[] {
  const byMultisig = Map.groupBy(orders ?? [], (order) => bytesKey(order.multisig));
  const ordersOf = (multisig: Buffer) =>
    byMultisig.get(bytesKey(multisig))?.map((order) => toMultisigOrder(order, undefined)) ?? null;
  return rows.map((row) => ({
    address: formatAccount(row.account),
    next_order_seqno: row.next_order_seqno,
    threshold: BigInt(row.threshold),
    signers: row.signers.map(formatAccount),
    proposers: row.proposers.map(formatAccount),
    ...toContractState(row),
    orders: orders === undefined ? [] : ordersOf(row.account),
  }));
}

const ORDER_FILTER_REQUIRED = 'At least one of address or multisig_address should be specified';

/** Orders of multisig wallets. */
export function createMultisigOrders(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'multisig/orders',
    methods: ['GET'],
    tag: 'multisig',
    summary: 'Multisig orders',
    description: 'Ordered by when they were indexed, the newest first.',
    parameters: {
      address: accountsParam({ description: 'Order addresses.', max: MAX_ADDRESSES }),
      multisig_address: accountsParam({
        description: 'Orders of these multisig wallets.',
        max: MAX_ADDRESSES,
      }),
      parse_actions: booleanParam({ description: 'Parse the actions of the orders.', fallback: false }),
      ...windowParams(limits),
      sort: sortParam({ description: 'Sort direction.', fallback: 'desc' }),
    },
    result: Type.Object(
      { orders: Type.Array(multisigOrderSchema), ...addressBookFields },
      { title: 'MultisigOrderResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('multisig/orders'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: ORDER_FILTER_REQUIRED } },
    ],
    handler: (params, call: V3Call) => {
      const { address: accounts, multisig_address: multisigs, sort } = params;
      if (accounts.length === 0 && multisigs.length === 0)
        throw invalidParameter('address', ORDER_FILTER_REQUIRED);
      const keys = [byId(sort)];
      const page = toWindow(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readMultisigOrders(db, { accounts, multisigs, sort, page });
        noteNextCursor(call, keys, page, rows);
        const orders = rows.map((row) => ({
          row,
          actions: params.parse_actions ? parseOrder(row.order_boc) : undefined,
        }));
        const shownAccounts = orders.flatMap(({ row, actions = [] }) => [
          row.account,
          row.multisig,
          ...row.signers,
          ...orderAccounts(actions).map(toAccountBytes),
        ]);
        const shown = orders.map(({ row, actions }) => toMultisigOrder(row, actions));
        return { orders: shown, ...(await loadAddressBookFields(call, db, shownAccounts)) };
      });
    },
  });
}
