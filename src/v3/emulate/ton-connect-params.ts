import Type from 'typebox';
import { hasFriendlyForm } from '../../chain/address/format-address.ts';
import { type ParsedAddress, parseAddress } from '../../chain/address/parse-address.ts';
import type { OrderedMessage } from '../../chain/contracts/unsigned-transfer.ts';
import type { Parameter } from '../../http/operation.ts';
import { parseDecimal } from '../params/integer.ts';
import { refuse } from '../params/kind.ts';
import { readBocText } from './boc-text.ts';

const MAX_MESSAGES = 4;
const MAX_AMOUNT = 2n ** 64n - 1n;

/** The wallet that is to send. */
export function senderParam(): Parameter<ParsedAddress> {
  return {
    schema: Type.String(),
    description: 'Address of the wallet.',
    required: true,
    read: ({ name, values }) => {
      const value = values.at(-1);
      if (value === undefined || value === '') throw refuse(name, 'from address is required for emulation');
      const address = toAddress(value);
      if (address === undefined) throw refuse(name, 'invalid from address: expected an address');
      return address;
    },
  };
}

const messageSchema = Type.Object({
  address: Type.String({ description: 'A friendly form also says whether the message may bounce.' }),
  amount: Type.String({ description: 'Nanotons, decimal.' }),
  payload: Type.Optional(Type.String({ description: 'Body as a bag of cells in base64.' })),
  stateInit: Type.Optional(Type.String({ description: 'StateInit as a bag of cells in base64.' })),
});

/** The messages that it is to send, as dApps give them to wallets. */
export function messagesParam(): Parameter<readonly OrderedMessage[]> {
  return {
    schema: Type.Array(messageSchema, { minItems: 1, maxItems: MAX_MESSAGES }),
    description: 'Messages that the wallet sends.',
    required: true,
    read: ({ name, values }) => {
      const given = values.at(-1) ?? [];
      if (!Array.isArray(given)) throw refuse(name, 'messages must be an array');
      if (given.length === 0) throw refuse(name, 'messages array cannot be empty');
      if (given.length > MAX_MESSAGES)
        throw refuse(name, `messages array cannot contain more than ${MAX_MESSAGES} messages`);
      return given.map((message, index) => toMessage(name, message, index));
    },
  };
}

function toMessage(name: string, given: unknown, index: number): OrderedMessage {
  const { address, amount, payload, stateInit } = (given ?? {}) as Record<string, unknown>;
  const where = `message at index ${index}`;
  if (isEmpty(address)) throw refuse(name, `${where} cannot be empty`);
  if (isEmpty(amount)) throw refuse(name, `amount in ${where} cannot be empty`);
  const value = typeof amount === 'string' ? parseDecimal(amount, 0n, MAX_AMOUNT) : undefined;
  if (value === undefined)
    throw refuse(name, `invalid amount in ${where}: expected nanotons as a decimal text`);
  const to = toAddress(address);
  if (to === undefined) throw refuse(name, `invalid address in ${where}: expected an address`);
  return {
    ...{ to, bounce: to.bounceable, value },
    body: maybeBag(payload, { name, what: `invalid message payload at index ${index}` }),
    init: maybeBag(stateInit, { name, what: `invalid message stateInit at index ${index}` }),
  };
}

function maybeBag(value: unknown, told: { readonly name: string; readonly what: string }) {
  return value === undefined || value === null ? undefined : readBocText(value, told);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function toAddress(value: unknown): ParsedAddress | undefined {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  return address && address.form !== 'bare' && hasFriendlyForm(address.workchain) ? address : undefined;
}
