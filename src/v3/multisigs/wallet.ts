import type { Selectable } from 'kysely';
import Type, { type Static } from 'typebox';
import type { MultisigOrdersTable, MultisigsTable } from '../../db/contract-tables.ts';
import { Int64, PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { Nullable } from '../nullable.ts';
import { contractStateSchema, toContractState } from '../state-json.ts';
import { MULTISIG_ORDER_EXAMPLE, multisigOrderSchema, toMultisigOrder } from './order.ts';

/** A multisig wallet. */
export const multisigSchema = Type.Object({
  address: PlainText(),
  next_order_seqno: PlainText({ description: '-1 where orders are not numbered.' }),
  threshold: Int64(),
  signers: Type.Array(PlainText()),
  proposers: Type.Array(PlainText()),
  ...contractStateSchema,
  orders: Nullable(
    Type.Array(multisigOrderSchema, {
      description: 'Null when it has none, empty when they were not asked for.',
    }),
  ),
});

type MultisigJson = Static<typeof multisigSchema>;

/** Writes multisig wallets with their orders, which are undefined where they were not asked for. */
export function toMultisigs(
  rows: readonly Selectable<MultisigsTable>[],
  orders: readonly Selectable<MultisigOrdersTable>[] | undefined,
): MultisigJson[] {
  const ordersOf = Map.groupBy(orders ?? [], (order) => order.multisig.toString('latin1'));
  return rows.map((row) => ({
    address: formatAccount(row.account),
    next_order_seqno: row.next_order_seqno,
    threshold: BigInt(row.threshold),
    signers: row.signers.map(formatAccount),
    proposers: row.proposers.map(formatAccount),
    ...toContractState(row),
    orders: orders === undefined ? [] : ordersOfOne(ordersOf.get(row.account.toString('latin1'))),
  }));
}

function ordersOfOne(orders: readonly Selectable<MultisigOrdersTable>[] | undefined): MultisigJson['orders'] {
  return orders?.map((order) => toMultisigOrder(order, undefined)) ?? null;
}

/** A multisig wallet as the docs page shows it. */
export const MULTISIG_EXAMPLE = {
  address: MULTISIG_ORDER_EXAMPLE.multisig_address,
  next_order_seqno: '1',
  threshold: 1,
  signers: MULTISIG_ORDER_EXAMPLE.signers,
  proposers: [],
  last_transaction_lt: '46000000007',
  code_hash: '09FGsW8gH+xD9+n2ASpYbz5YqqvYuc2D7wHOEyIhJ6o=',
  data_hash: 'Tq9fm3yQbQ2pDMnVVqvY8nBRqwYRNUWzQDXWO3T2cmg=',
  orders: [MULTISIG_ORDER_EXAMPLE],
};
