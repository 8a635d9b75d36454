import Type, { type Static } from 'typebox';
import type { MinterBody } from '../../chain/contracts/multisig-order/minter-bodies.ts';
import type { OrderBody } from '../../chain/contracts/multisig-order/order-body.ts';
import { Int64, PlainText } from '../../http/serializer.ts';
import { Nullable } from '../nullable.ts';
import { jettonTransferBody, stonfiSwapSchema } from './jetton-transfer-body.ts';
import { formatBag, formatPart } from './order-parts.ts';

const text = () => Type.Optional(Type.String());
const amount = () => Type.Optional(PlainText());
const address = () => Type.Optional(Nullable(PlainText()));
const addresses = () => Type.Optional(Type.Array(Nullable(PlainText())));
const bag = () => Type.Optional(Nullable(PlainText({ description: 'A bag of cells.' })));
const number = () => Type.Optional(Int64());

/**
 * What a message of an order asks for; `parsed_body_type` tells which members there are. One object for all kinds, since
 * a union would be validated when it is written.
 */
export const orderBodySchema = Type.Object({
  opcode: number(),
  query_id: number(),
  amount: amount(),
  destination: address(),
  response: address(),
  new_owner: address(),
  response_destination: address(),
  to_address: address(),
  ton_amount: amount(),
  master_msg_query_id: number(),
  master_msg_jetton_amount: amount(),
  new_admin_address: address(),
  new_metadata_url: text(),
  action_type: text(),
  action_data: bag(),
  new_status: number(),
  coins: amount(),
  validator_address: address(),
  send_mode: number(),
  value: amount(),
  message_body: bag(),
  custom_payload: bag(),
  forward_amount: amount(),
  comment: text(),
  encrypted: Type.Optional(Type.Boolean()),
  encrypted_comment: Type.Optional(Type.Boolean()),
  forward_payload: bag(),
  payload_sum_type: text(),
  stonfi_swap_body: Type.Optional(Nullable(stonfiSwapSchema)),
  new_threshold: Type.Optional(Type.Integer()),
  new_signers: addresses(),
  new_proposers: addresses(),
  data: bag(),
});

export type OrderBodyJson = Static<typeof orderBodySchema>;

const CALLED = {
  set_status: 'JettonSetStatus',
  transfer: 'JettonTransfer',
  burn: 'JettonBurn',
  unknown: 'Unknown',
};

/** Writes what a message of an order asks for; the bag of cells is its whole body. */
export function toOrderBody(content: OrderBody, boc: Buffer): OrderBodyJson {
  switch (content.type) {
    case 'jetton_transfer':
      return jettonTransferBody(content);
    case 'jetton_burn':
      return {
        query_id: content.queryId,
        amount: String(content.amount),
        response_destination: formatPart(content.response),
      };
    case 'nft_transfer':
      return {
        query_id: content.queryId,
        new_owner: formatPart(content.newOwner),
        response_destination: formatPart(content.response),
        custom_payload: formatBag(content.customPayload),
        forward_amount: String(content.forwardAmount),
        forward_payload: formatBag(content.forwardPayload),
      };
    case 'ton_transfer':
      return { comment: content.comment, encrypted: content.encrypted };
    case 'single_nominator_withdraw':
      return { query_id: content.queryId, coins: String(content.coins) };
    case 'single_nominator_change_validator':
      return { query_id: content.queryId, validator_address: formatPart(content.validator) };
    case 'vesting_internal_transfer':
      return {
        query_id: content.queryId,
        send_mode: BigInt(content.sendMode),
        destination: formatPart(content.destination),
        value: String(content.value),
        message_body: formatBag(content.messageBody),
        comment: content.comment,
      };
    case 'unknown':
      return { opcode: BigInt(content.opcode), data: formatBag(boc) };
    default:
      return minterBody(content);
  }
}

function minterBody(content: MinterBody): OrderBodyJson {
  const query_id = content.queryId;
  switch (content.type) {
    case 'jetton_mint':
      return {
        opcode: BigInt(content.opcode),
        query_id,
        to_address: formatPart(content.to),
        ton_amount: String(content.tonAmount),
        master_msg_query_id: content.innerQueryId,
        master_msg_jetton_amount: String(content.jettonAmount),
      };
    case 'jetton_change_admin':
      return { query_id, new_admin_address: formatPart(content.newAdmin) };
    case 'jetton_change_content':
      return { query_id, new_metadata_url: content.newUrl };
    case 'jetton_call_to':
      return {
        query_id,
        to_address: formatPart(content.to),
        ton_amount: String(content.tonAmount),
        action_type: content.action === undefined ? '' : CALLED[content.action],
        action_data: formatBag(content.actionData),
      };
    case 'jetton_set_status':
      return { query_id, new_status: BigInt(content.status) };
    default:
      return { query_id };
  }
}
