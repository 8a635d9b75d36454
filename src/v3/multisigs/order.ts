import type { Selectable } from 'kysely';
import Type, { type Static } from 'typebox';
import type { OrderAction } from '../../chain/contracts/multisig-order/parse-order.ts';
import type { MultisigOrdersTable } from '../../db/contract-tables.ts';
import { Int64, PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { Nullable } from '../nullable.ts';
import { contractStateSchema, toContractState } from '../state-json.ts';
import { orderActionSchema, toOrderAction } from './order-action.ts';

/** An order of a multisig wallet. */
export const multisigOrderSchema = Type.Object({
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
    Type.Array(orderActionSchema, { description: 'Null unless asked for, and where they cannot be read.' }),
  ),
});

/** Writes an order; its steps are undefined where they were not asked for or cannot be read. */
export function toMultisigOrder(
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

/** An order as the docs page shows it. */
export const MULTISIG_ORDER_EXAMPLE = {
  address: '0:6B8F5A1C3D7E9F20416385A7C9EB0D2F41638507A9CBED0F21436587A9CBED0F',
  multisig_address: '0:9E5A6F6A2F4B8A3F3E1A5C0D7B2E4F6081A3C5E7092B4D6F8193A5C7E90B2D4F',
  order_seqno: '0',
  threshold: 1,
  sent_for_execution: false,
  approvals_mask: '1',
  approvals_num: 1,
  expiration_date: 1730000000,
  order_boc: 'te6cckEBAQEAAgAAAEysuc0=',
  signers: ['0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'],
  last_transaction_lt: '46000000007',
  code_hash: 'YwXQFSc+NNFDlFzSyCoVfwwHjdbyyc5SAGlCNLYHpTg=',
  data_hash: 'DbvGSdWtsZ6JGxKvkCbhBG3oKw3PqmCH3uVTO4L3C/U=',
  actions: null,
};
