import Type, { type Static } from 'typebox';
import type { PayloadContent } from '../../chain/contracts/multisig-order/payload.ts';
import type { TokenBody } from '../../chain/contracts/multisig-order/token-bodies.ts';
import { PlainText } from '../../http/serializer.ts';
import { Nullable } from '../nullable.ts';
import { formatBag, formatPart } from './order-parts.ts';

/** A swap on an exchange that a transfer of jettons asks for. */
export const stonfiSwapSchema = Type.Object({
  jetton_wallet: Nullable(PlainText()),
  min_amount: PlainText({ description: 'In whole units of nine digits.' }),
  user_address: Nullable(PlainText()),
});

const PAYLOAD_NAMES = { none: '', unknown: 'Unknown', stonfi_swap: 'StonfiSwap' } as const;
const COIN_DIGITS = 9;

/** Writes a transfer of jettons that an order asks for. */
export function jettonTransferBody(content: Extract<TokenBody, { type: 'jetton_transfer' }>) {
  const { payload } = content;
  const isText = payload.kind === 'text';
  return {
    query_id: content.queryId,
    amount: String(content.amount),
    destination: formatPart(content.destination),
    response: formatPart(content.response),
    custom_payload: formatBag(content.customPayload),
    forward_amount: String(content.forwardAmount),
    comment: isText ? payload.text : '',
    encrypted_comment: isText && payload.encrypted,
    forward_payload: formatBag(content.forwardPayload),
    payload_sum_type: nameOf(payload),
    stonfi_swap_body: payload.kind === 'stonfi_swap' ? swapOf(payload) : null,
  };
}

function nameOf(payload: PayloadContent): string {
  if (payload.kind === 'text') return payload.encrypted ? 'EncryptedTextComment' : 'TextComment';
  return PAYLOAD_NAMES[payload.kind];
}

function swapOf(payload: Extract<PayloadContent, { kind: 'stonfi_swap' }>): Static<typeof stonfiSwapSchema> {
  return {
    jetton_wallet: formatPart(payload.jettonWallet),
    min_amount: formatCoins(payload.minAmount),
    user_address: formatPart(payload.user),
  };
}

/** An amount in coins: what is after the point has no zeros at its end. */
function formatCoins(amount: bigint): string {
  const digits = amount.toString().padStart(COIN_DIGITS + 1, '0');
  const fraction = digits.slice(-COIN_DIGITS).replace(/0+$/, '');
  return `${digits.slice(0, -COIN_DIGITS)}${fraction === '' ? '' : `.${fraction}`}`;
}
