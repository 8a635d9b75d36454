import type { Static } from 'typebox';
import Type from 'typebox';
import { type AccountId, formatRaw } from '../chain/address.ts';
import type { OrderAction } from '../chain/contracts/multisig-order.ts';
import type { OrderBody, PayloadContent } from '../chain/contracts/order-bodies.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import { Nullable } from './values.ts';

const stonfiSwapSchema = Type.Object(
  {
    jetton_wallet: Nullable(PlainText()),
    min_amount: PlainText({ description: 'In coins of nine decimals.' }),
    user_address: Nullable(PlainText()),
  },
  { title: 'StonfiSwapBody' },
);

const PAYLOAD_NAMES = { none: '', unknown: 'Unknown', stonfi_swap: 'StonfiSwap' } as const;
const COIN_DIGITS = 9;

function toJettonTransferBody(content: Extract<OrderBody, { type: 'jetton_transfer' }>) {
  const { payload } = content;
  const isText = payload.kind === 'text';
  return {
    query_id: content.queryId,
    amount: String(content.amount),
    destination: formatAddressOrNull(content.destination),
    response: formatAddressOrNull(content.response),
    custom_payload: formatBocOrNull(content.customPayload),
    forward_amount: String(content.forwardAmount),
    comment: isText ? payload.text : '',
    encrypted_comment: isText && payload.encrypted,
    forward_payload: formatBocOrNull(content.forwardPayload),
    payload_sum_type: payloadName(payload),
    stonfi_swap_body: payload.kind === 'stonfi_swap' ? toSwap(payload) : null,
  };
}

function payloadName(payload: PayloadContent): string {
  if (payload.kind === 'text') return payload.encrypted ? 'EncryptedTextComment' : 'TextComment';
  return PAYLOAD_NAMES[payload.kind];
}

function toSwap(payload: Extract<PayloadContent, { kind: 'stonfi_swap' }>): Static<typeof stonfiSwapSchema> {
  return {
    jetton_wallet: formatAddressOrNull(payload.jettonWallet),
    min_amount: formatCoins(payload.minAmount),
    user_address: formatAddressOrNull(payload.user),
  };
}

/** An amount in coins, without trailing zeros. */
function formatCoins(amount: bigint): string {
  const digits = amount.toString().padStart(COIN_DIGITS + 1, '0');
  const fraction = digits.slice(-COIN_DIGITS).replace(/0+$/, '');
  return `${digits.slice(0, -COIN_DIGITS)}${fraction === '' ? '' : `.${fraction}`}`;
}

const text = () => Type.Optional(Type.String());
const amount = () => Type.Optional(PlainText());
const address = () => Type.Optional(Nullable(PlainText()));
const addresses = () => Type.Optional(Type.Array(Nullable(PlainText())));
const bag = () => Type.Optional(Nullable(PlainText({ description: 'A bag of cells in base64.' })));
const number = () => Type.Optional(Int64());

/**
 * The parsed body of a message of an order; `parsed_body_type` decides which fields are present. One object for all
 * kinds, because the serialiser would validate the value against each branch of a union.
 */
const orderBodySchema = Type.Object(
  {
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
  },
  { title: 'ParsedBody' },
);

type OrderBodyJson = Static<typeof orderBodySchema>;

const CALLED_ACTION_NAMES = {
  set_status: 'JettonSetStatus',
  transfer: 'JettonTransfer',
  burn: 'JettonBurn',
  unknown: 'Unknown',
};

/** Writes the parsed body of a message; `boc` is the whole body. */
function toOrderBody(content: OrderBody, boc: Buffer): OrderBodyJson {
  switch (content.type) {
    case 'jetton_transfer':
      return toJettonTransferBody(content);
    case 'jetton_burn':
      return {
        query_id: content.queryId,
        amount: String(content.amount),
        response_destination: formatAddressOrNull(content.response),
      };
    case 'nft_transfer':
      return {
        query_id: content.queryId,
        new_owner: formatAddressOrNull(content.newOwner),
        response_destination: formatAddressOrNull(content.response),
        custom_payload: formatBocOrNull(content.customPayload),
        forward_amount: String(content.forwardAmount),
        forward_payload: formatBocOrNull(content.forwardPayload),
      };
    case 'ton_transfer':
      return { comment: content.comment, encrypted: content.encrypted };
    case 'single_nominator_withdraw':
      return { query_id: content.queryId, coins: String(content.coins) };
    case 'single_nominator_change_validator':
      return { query_id: content.queryId, validator_address: formatAddressOrNull(content.validator) };
    case 'vesting_internal_transfer':
      return {
        query_id: content.queryId,
        send_mode: BigInt(content.sendMode),
        destination: formatAddressOrNull(content.destination),
        value: String(content.value),
        message_body: formatBocOrNull(content.messageBody),
        comment: content.comment,
      };
    case 'unknown':
      return { opcode: BigInt(content.opcode), data: formatBocOrNull(boc) };
    case 'jetton_mint':
      return {
        opcode: BigInt(content.opcode),
        query_id: content.queryId,
        to_address: formatAddressOrNull(content.to),
        ton_amount: String(content.tonAmount),
        master_msg_query_id: content.innerQueryId,
        master_msg_jetton_amount: String(content.jettonAmount),
      };
    case 'jetton_change_admin':
      return { query_id: content.queryId, new_admin_address: formatAddressOrNull(content.newAdmin) };
    case 'jetton_change_content':
      return { query_id: content.queryId, new_metadata_url: content.newUrl };
    case 'jetton_call_to':
      return {
        query_id: content.queryId,
        to_address: formatAddressOrNull(content.to),
        ton_amount: String(content.tonAmount),
        action_type: content.action === undefined ? '' : CALLED_ACTION_NAMES[content.action],
        action_data: formatBocOrNull(content.actionData),
      };
    case 'jetton_set_status':
      return { query_id: content.queryId, new_status: BigInt(content.status) };
    default:
      return { query_id: content.queryId };
  }
}

export const orderActionSchema = Type.Object(
  {
    destination: Nullable(PlainText()),
    value: Nullable(PlainText()),
    body_raw: Nullable(PlainText({ description: 'A bag of cells in base64.' })),
    parsed: Type.Boolean(),
    error: Nullable(Type.String()),
    parsed_body: Nullable(orderBodySchema),
    parsed_body_type: PlainText(),
    send_mode: Type.Integer(),
  },
  { title: 'OrderAction' },
);

type OrderActionJson = Static<typeof orderActionSchema>;

const NO_MESSAGE = { destination: null, value: null, body_raw: null, send_mode: 0 };

export function toOrderAction(action: OrderAction): OrderActionJson {
  if (action.kind === 'broken') {
    return {
      ...NO_MESSAGE,
      parsed: false,
      error: `failed to parse order action: ${action.error}`,
      parsed_body: null,
      parsed_body_type: 'unknown',
    };
  }
  if (action.kind === 'update') {
    const parsed_body: OrderBodyJson = {
      new_threshold: action.threshold,
      new_signers: action.signers.map(formatAddressOrNull),
      new_proposers: action.proposers.map(formatAddressOrNull),
    };
    const parsed_body_type = 'multisig_update_params';
    return { ...NO_MESSAGE, parsed: true, error: null, parsed_body, parsed_body_type };
  }
  const { content, body } = action;
  return {
    destination: formatAddressOrNull(action.destination),
    value: String(action.value),
    body_raw: body.toString('base64'),
    parsed: true,
    error: null,
    parsed_body: toOrderBody(content, body),
    parsed_body_type: content.type,
    send_mode: action.mode,
  };
}

function formatAddressOrNull(account: AccountId | undefined): string | null {
  return account === undefined ? null : formatRaw(account, 'upper');
}

function formatBocOrNull(boc: Buffer | undefined): string | null {
  return boc === undefined ? null : boc.toString('base64');
}
