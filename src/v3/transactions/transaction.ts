import Type, { type Static } from 'typebox';
import type { WholeTransaction } from '../../db/queries/whole-transactions.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { blockIdSchema, toBlockId } from '../blocks/block-id.ts';
import type { DecodedBodies } from '../decoded-bodies.ts';
import { MapOf } from '../map-of.ts';
import { messageSchema, toMessage } from '../messages/message.ts';
import { Nullable } from '../nullable.ts';
import { formatHash } from '../value-texts.ts';
import { accountStateSchema, toAccountState } from './account-state.ts';
import { descriptionSchema, toDescription } from './description.ts';

/** A transaction. */
export const transactionSchema = Type.Object({
  account: PlainText(),
  hash: PlainText(),
  lt: PlainText(),
  now: Type.Integer(),
  mc_block_seqno: Type.Integer({ description: 'The masterchain block that committed it.' }),
  trace_id: Type.Optional(
    PlainText({ description: 'The hash of the transaction that its trace began with.' }),
  ),
  trace_external_hash: Type.Optional(
    PlainText({ description: 'The hash of the message that its trace began with; of pending ones only.' }),
  ),
  prev_trans_hash: PlainText(),
  prev_trans_lt: PlainText(),
  orig_status: PlainText(),
  end_status: PlainText(),
  total_fees: PlainText(),
  total_fees_extra_currencies: MapOf(PlainText()),
  description: descriptionSchema,
  block_ref: blockIdSchema,
  in_msg: Nullable(messageSchema),
  out_msgs: Type.Array(messageSchema),
  account_state_before: accountStateSchema,
  account_state_after: accountStateSchema,
  emulated: Type.Boolean(),
  finality: PlainText(),
});

export type TransactionJson = Static<typeof transactionSchema>;

/** Writes a transaction of the index. */
export function toTransaction(whole: WholeTransaction, bodies: DecodedBodies): TransactionJson {
  const { row, inMessage, outMessages } = whole;
  return {
    account: formatAccount(row.account),
    hash: formatHash(row.hash),
    lt: row.lt,
    now: Number(row.now),
    mc_block_seqno: row.mc_seqno,
    trace_id: formatHash(row.trace_id),
    prev_trans_hash: formatHash(row.prev_hash),
    prev_trans_lt: row.prev_lt,
    orig_status: row.orig_status,
    end_status: row.end_status,
    total_fees: row.total_fees,
    total_fees_extra_currencies: row.total_fees_extra ?? {},
    description: toDescription(row),
    block_ref: toBlockId(row.account.readInt8(0), row.block_shard, row.block_seqno),
    in_msg: inMessage === undefined ? null : toMessage(inMessage, bodies),
    out_msgs: outMessages.map((message) => toMessage(message, bodies)),
    account_state_before: toAccountState(whole.before),
    account_state_after: toAccountState(whole.after),
    emulated: false,
    finality: 'finalized',
  };
}

/** The accounts that the address book of an answer with these transactions has. */
export function accountsOf(transactions: readonly WholeTransaction[]): (Buffer | null | undefined)[] {
  return transactions.flatMap(({ row, inMessage, outMessages }) => [
    row.account,
    inMessage?.peer,
    ...outMessages.map(({ peer }) => peer),
  ]);
}
