import Type from 'typebox';
import type { Cells } from '../../chain/boc/cells.ts';
import { readExtraCurrencies } from '../../chain/tlb/currency.ts';
import type { Message } from '../../chain/tlb/message.ts';
import type { MsgAddress } from '../../chain/tlb/msg-address.ts';
import { PlainText } from '../../http/serializer.ts';
import { AccountAddress, accountAddress, friendlyAddress } from './account-address.ts';
import { Hash256, Int64Text } from './block-id.ts';
import { ExtraCurrencies, extraCurrencies } from './extra-currency.ts';
import { type MessageContent, MsgData, messageContent } from './message-content.ts';

/** An amount of nanotons. */
export const Amount = () => PlainText({ pattern: '^[0-9]+$' });

const Fields = {
  hash: Hash256(),
  value: Amount(),
  extra_currencies: ExtraCurrencies,
  fwd_fee: Amount(),
  ihr_fee: Amount(),
  created_lt: Int64Text(),
  body_hash: Hash256(),
  msg_data: MsgData,
};

/** `raw.message`. */
export const RawMessage = Type.Object({
  '@type': Type.Literal('raw.message'),
  source: AccountAddress,
  destination: AccountAddress,
  ...Fields,
});

/** `ext.message`: addresses are plain, and what the body says is there as text too. */
export const ExtMessage = Type.Object({
  '@type': Type.Literal('ext.message'),
  source: PlainText(),
  destination: PlainText(),
  ...Fields,
  message: Type.Optional(
    Type.String({ description: 'The comment, or the first bits of the body in base64.' }),
  ),
});

/** Writes `raw.message`. */
export function rawMessage(message: Message) {
  return {
    '@type': 'raw.message' as const,
    source: accountAddress(addressText(message.info.src)),
    destination: accountAddress(addressText(message.info.dest)),
    ...fieldsOf(message, messageContent(message)),
  };
}

/** Writes `ext.message`. */
export function extMessage(message: Message) {
  const content = messageContent(message);
  return {
    '@type': 'ext.message' as const,
    source: addressText(message.info.src),
    destination: addressText(message.info.dest),
    ...fieldsOf(message, content),
    ...(content.text !== undefined && { message: content.text }),
  };
}

function fieldsOf({ cells, hash, bodyHash, info }: Message, content: MessageContent) {
  const internal = info.kind === 'internal' ? info : undefined;
  return {
    hash: hash.toString('base64'),
    value: String(internal?.value.grams ?? 0n),
    extra_currencies: internal === undefined ? [] : currenciesOf(cells, internal.value),
    fwd_fee: String(internal?.fwdFee ?? 0n),
    // Nobody ever paid one, and the header's field means something else now.
    ihr_fee: '0',
    created_lt: info.kind === 'external-in' ? '0' : String(BigInt.asIntN(64, info.createdLt)),
    body_hash: bodyHash.toString('base64'),
    msg_data: content.data,
  };
}

function currenciesOf(cells: Cells, value: Parameters<typeof readExtraCurrencies>[1]) {
  return extraCurrencies(readExtraCurrencies(cells, value));
}

/** Addresses outside of the chain and those of variable length have no form in answers; anycast is ignored. */
function addressText(address: MsgAddress): string {
  return address.kind === 'std' ? friendlyAddress(address) : '';
}
