import Type, { type Static } from 'typebox';
import type { TransactionRow } from '../../db/queries/transaction-states.ts';
import { PlainText } from '../../http/serializer.ts';
import { MapOf } from '../map-of.ts';
import { formatHash } from '../value-texts.ts';
import { actionSchema, toAction } from './action-phase.ts';
import { computeSchema, toCompute } from './compute-phase.ts';

const sizeSchema = Type.Object({ cells: PlainText(), bits: PlainText() });

const storageSchema = Type.Object({
  storage_fees_collected: PlainText(),
  storage_fees_due: Type.Optional(PlainText()),
  status_change: PlainText(),
});

const creditSchema = Type.Object({
  due_fees_collected: Type.Optional(PlainText()),
  credit: PlainText(),
  credit_extra_currencies: Type.Optional(MapOf(PlainText())),
});

const bounceSchema = Type.Object({
  type: PlainText(),
  msg_size: Type.Optional(sizeSchema),
  req_fwd_fees: Type.Optional(PlainText()),
  msg_fees: Type.Optional(PlainText()),
  fwd_fees: Type.Optional(PlainText()),
});

const splitSchema = Type.Object({
  cur_shard_pfx_len: Type.Integer(),
  acc_split_depth: Type.Integer(),
  this_addr: PlainText(),
  sibling_addr: PlainText(),
});

/** What happened in a transaction; which members are there depends on its type and its course. */
export const descriptionSchema = Type.Object({
  type: PlainText(),
  aborted: Type.Optional(Type.Boolean()),
  destroyed: Type.Optional(Type.Boolean()),
  credit_first: Type.Optional(Type.Boolean()),
  is_tock: Type.Optional(Type.Boolean()),
  installed: Type.Optional(Type.Boolean()),
  storage_ph: Type.Optional(storageSchema),
  credit_ph: Type.Optional(creditSchema),
  compute_ph: Type.Optional(computeSchema),
  action: Type.Optional(actionSchema),
  bounce: Type.Optional(bounceSchema),
  split_info: Type.Optional(splitSchema),
});

/** Writes what happened in a transaction; columns of phases that it did not have are null together. */
export function toDescription(row: TransactionRow): Static<typeof descriptionSchema> {
  return {
    type: row.kind,
    ...(row.aborted !== null && { aborted: row.aborted }),
    ...(row.destroyed !== null && { destroyed: row.destroyed }),
    ...(row.credit_first !== null && { credit_first: row.credit_first }),
    ...(row.is_tock !== null && { is_tock: row.is_tock }),
    ...(row.installed !== null && { installed: row.installed }),
    ...(row.storage_status_change !== null && { storage_ph: toStorage(row) }),
    ...(row.credit !== null && { credit_ph: toCredit(row) }),
    ...(row.compute_skipped !== null && { compute_ph: toCompute(row) }),
    ...(row.action_success !== null && { action: toAction(row) }),
    ...(row.bounce !== null && { bounce: toBounce(row) }),
    ...(row.split_this_addr !== null && { split_info: toSplit(row) }),
  };
}

function toStorage(row: TransactionRow): Static<typeof storageSchema> {
  return {
    storage_fees_collected: row.storage_fees_collected!,
    ...(row.storage_fees_due !== null && { storage_fees_due: row.storage_fees_due }),
    status_change: row.storage_status_change!,
  };
}

function toCredit(row: TransactionRow): Static<typeof creditSchema> {
  return {
    ...(row.credit_due_fees_collected !== null && { due_fees_collected: row.credit_due_fees_collected }),
    credit: row.credit!,
    ...(row.credit_extra !== null && { credit_extra_currencies: row.credit_extra }),
  };
}

function toBounce(row: TransactionRow): Static<typeof bounceSchema> {
  const [cells, bits] = [row.bounce_msg_size_cells, row.bounce_msg_size_bits];
  return {
    type: row.bounce!,
    ...(cells !== null && bits !== null && { msg_size: { cells, bits } }),
    ...(row.bounce_req_fwd_fees !== null && { req_fwd_fees: row.bounce_req_fwd_fees }),
    ...(row.bounce_msg_fees !== null && { msg_fees: row.bounce_msg_fees }),
    ...(row.bounce_fwd_fees !== null && { fwd_fees: row.bounce_fwd_fees }),
  };
}

function toSplit(row: TransactionRow): Static<typeof splitSchema> {
  return {
    cur_shard_pfx_len: row.split_cur_shard_pfx_len!,
    acc_split_depth: row.split_acc_split_depth!,
    this_addr: formatHash(row.split_this_addr!),
    sibling_addr: formatHash(row.split_sibling_addr!),
  };
}
