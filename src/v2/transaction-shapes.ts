import { isUtf8 } from 'node:buffer';
import type { Static } from 'typebox';
import Type from 'typebox';
import { formatRaw } from '../chain/address.ts';
import { type Cells, undefinedOnCellError } from '../chain/boc/cells.ts';
import { bocText, restText } from '../chain/boc/writer.ts';
import { readSnake } from '../chain/contracts/token-content.ts';
import { readExtraCurrencies } from '../chain/tlb/currency.ts';
import { type Message, type MessagePart, sliceOf } from '../chain/tlb/message.ts';
import type { MsgAddress } from '../chain/tlb/msg-address.ts';
import type { Transaction } from '../chain/tlb/transaction.ts';
import { PlainText } from '../http/serializer.ts';
import { validateRefusal } from './parameters.ts';
import {
  AccountAddress,
  AmountText,
  accountAddress,
  BocText,
  ExtraCurrencies,
  extraCurrencies,
  friendlyAddress,
  Hash256,
  Int64Text,
  TonlibObject,
  TransactionId,
  transactionId,
} from './shapes.ts';

const COMMENT_OP = 0;
const ENCRYPTED_OP = 0x2167da4b;
const OP_BITS = 32;
/** More than any chain of cells in a message. */
const MAX_TEXT_BYTES = 2 ** 20;

/** `msg.dataRaw`, or `msg.dataText` or `msg.dataEncryptedText` with the bytes of a comment in base64. */
const MsgData = Type.Union(
  [
    TonlibObject('msg.dataRaw', 'MsgDataRaw', { body: BocText(), init_state: BocText() }),
    TonlibObject('msg.dataText', 'MsgDataText', { text: PlainText() }),
    TonlibObject('msg.dataEncryptedText', 'MsgDataEncryptedText', { text: PlainText() }),
  ],
  { title: 'MsgData' },
);

interface MessageContent {
  readonly data: Static<typeof MsgData>;
  /** The comment, or else the bits of the body; undefined for an encrypted comment. */
  readonly text: string | undefined;
}

/** Reads the body of a message: a comment, an encrypted comment, or anything else. */
function messageContent(message: Message): MessageContent {
  const { cells, body, init, opcode } = message;
  const bytes = opcode === COMMENT_OP || opcode === ENCRYPTED_OP ? textBytes(cells, body) : undefined;
  if (bytes === undefined) {
    const init_state = init === undefined ? '' : partText(cells, init.part);
    const data = { '@type': 'msg.dataRaw' as const, body: partText(cells, body), init_state };
    return { data, text: rootBits(cells, body) };
  }
  const text = bytes.toString('base64');
  if (opcode === ENCRYPTED_OP) return { data: { '@type': 'msg.dataEncryptedText', text }, text: undefined };
  return { data: { '@type': 'msg.dataText', text }, text: isUtf8(bytes) ? bytes.toString() : '' };
}

/** The bytes of the text after the opcode; undefined if it is not a text. */
function textBytes(cells: Cells, body: MessagePart): Buffer | undefined {
  return undefinedOnCellError(() => {
    const slice = sliceOf(cells, body);
    slice.skip(OP_BITS);
    return readSnake(slice, MAX_TEXT_BYTES);
  });
}

/** The bits of a part without its references, padded with zeros, in base64 with a newline; empty for no bits. */
function rootBits(cells: Cells, part: MessagePart): string {
  const bits = part.bitEnd - part.bit;
  if (bits === 0) return '';
  const bytes = Buffer.alloc((bits + 7) >> 3);
  if (part.whole) cells.bytes.copy(bytes, 0, cells.starts[part.cell]!);
  else sliceOf(cells, part).copyBits(bits, bytes, 0);
  if (bits & 7) bytes[bits >> 3]! &= 0xff00 >> (bits & 7);
  return `${bytes.toString('base64')}\n`;
}

function partText(cells: Cells, part: MessagePart): string {
  return part.whole ? bocText(cells, part.cell) : restText(sliceOf(cells, part));
}

const MessageFields = {
  hash: Hash256(),
  value: AmountText(),
  extra_currencies: ExtraCurrencies,
  fwd_fee: AmountText(),
  ihr_fee: AmountText(),
  created_lt: Int64Text(),
  body_hash: Hash256(),
  msg_data: MsgData,
};

export const RawMessage = TonlibObject('raw.message', 'MessageStd', {
  source: AccountAddress,
  destination: AccountAddress,
  ...MessageFields,
});

/** `ext.message`: with plain addresses and the comment as text. */
export const ExtMessage = TonlibObject('ext.message', 'Message', {
  source: PlainText(),
  destination: PlainText(),
  ...MessageFields,
  message: Type.Optional(
    Type.String({ description: 'The comment, or the bits of the root cell of the body in base64.' }),
  ),
});

export function rawMessage(message: Message) {
  return {
    '@type': 'raw.message' as const,
    source: accountAddress(addressText(message.info.src)),
    destination: accountAddress(addressText(message.info.dest)),
    ...messageFields(message, messageContent(message)),
  };
}

export function extMessage(message: Message) {
  const content = messageContent(message);
  return {
    '@type': 'ext.message' as const,
    source: addressText(message.info.src),
    destination: addressText(message.info.dest),
    ...messageFields(message, content),
    ...(content.text !== undefined && { message: content.text }),
  };
}

function messageFields({ cells, hash, bodyHash, info }: Message, content: MessageContent) {
  const internal = info.kind === 'internal' ? info : undefined;
  return {
    hash: hash.toString('base64'),
    value: String(internal?.value.grams ?? 0n),
    extra_currencies: internal === undefined ? [] : currenciesOf(cells, internal.value),
    fwd_fee: String(internal?.fwdFee ?? 0n),
    // Nobody ever paid an IHR fee, and the field of the header has another meaning now.
    ihr_fee: '0',
    created_lt: info.kind === 'external-in' ? '0' : String(BigInt.asIntN(64, info.createdLt)),
    body_hash: bodyHash.toString('base64'),
    msg_data: content.data,
  };
}

function currenciesOf(cells: Cells, value: Parameters<typeof readExtraCurrencies>[1]) {
  return extraCurrencies(readExtraCurrencies(cells, value));
}

/** External addresses and those of variable length are shown as empty; anycast is ignored. */
function addressText(address: MsgAddress): string {
  return address.kind === 'std' ? friendlyAddress(address) : '';
}

const TransactionFields = {
  address: AccountAddress,
  utime: Type.Integer(),
  data: BocText(),
  transaction_id: TransactionId,
  fee: AmountText(),
  storage_fee: AmountText(),
  other_fee: PlainText({ pattern: '^-?[0-9]+$' }),
};

const Account = PlainText({ pattern: '^-?[0-9]+:[0-9A-F]{64}$' });
const RawMessages = { in_msg: Type.Optional(RawMessage), out_msgs: Type.Array(RawMessage) };

export const RawTransaction = TonlibObject('raw.transaction', 'TransactionStd', {
  ...TransactionFields,
  ...RawMessages,
});

/** `raw.transactionExt`: with the raw address of the account. */
export const RawTransactionExt = TonlibObject('raw.transactionExt', 'TransactionExt', {
  account: Account,
  ...TransactionFields,
  ...RawMessages,
});

/** `ext.transaction`: with the raw address of the account, and messages as `ext.message`. */
export const ExtTransaction = TonlibObject('ext.transaction', 'Transaction', {
  account: Account,
  ...TransactionFields,
  in_msg: Type.Optional(ExtMessage),
  out_msgs: Type.Array(ExtMessage),
});

export function rawTransaction(transaction: Transaction) {
  return {
    '@type': 'raw.transaction' as const,
    ...transactionFields(transaction),
    ...messagesOf(transaction, rawMessage),
  };
}

export function rawTransactionExt(transaction: Transaction) {
  return {
    '@type': 'raw.transactionExt' as const,
    account: formatRaw(transaction.account, 'upper'),
    ...transactionFields(transaction),
    ...messagesOf(transaction, rawMessage),
  };
}

export function extTransaction(transaction: Transaction) {
  return {
    '@type': 'ext.transaction' as const,
    account: formatRaw(transaction.account, 'upper'),
    ...transactionFields(transaction),
    ...messagesOf(transaction, extMessage),
  };
}

function transactionFields(transaction: Transaction) {
  const { cells, cell, account, now, lt, hash } = transaction;
  const fee = feeOf(transaction);
  const storageFee = storageFeeOf(transaction);
  return {
    address: accountAddress(friendlyAddress(account)),
    utime: now,
    data: bocText(cells, cell),
    transaction_id: transactionId(lt, hash),
    fee: String(fee),
    storage_fee: String(storageFee),
    other_fee: String(fee - storageFee),
  };
}

/** Tick-tock transactions and parts of a split or merge have no in message: the member is left out. */
function messagesOf<M>(
  { inMessage, outMessages }: Transaction,
  write: (message: NonNullable<typeof inMessage>) => M,
) {
  return {
    ...(inMessage !== undefined && { in_msg: write(inMessage) }),
    out_msgs: outMessages.map(write),
  };
}

/** Everything the account paid: the fees of the transaction and the forward fees of its messages. */
function feeOf({ totalFees, outMessages }: Transaction): bigint {
  let fee = totalFees.grams;
  for (const { info } of outMessages) if (info.kind === 'internal') fee += info.fwdFee;
  return fee;
}

function storageFeeOf({ description }: Transaction): bigint {
  return ('storage' in description ? description.storage?.storageFeesCollected : undefined) ?? 0n;
}

interface WrittenMessage {
  readonly msg_data: Readonly<Record<string, string>>;
}

interface WrittenTransaction {
  readonly data: string;
  readonly in_msg?: WrittenMessage;
  readonly out_msgs: readonly WrittenMessage[];
}

/**
 * Cells that the messages of a transaction share are written once per message, so a few transactions can become
 * gigabytes. The limit for a whole list is far above what real transactions need.
 */
const MAX_CHARS = 24 * 2 ** 20;
/** JSON of a transaction or a message without its cells. */
const FRAME_CHARS = 700;

/** Writes transactions one by one as they arrive, so that a long list does not block the event loop. */
export class TransactionWriter<T extends WrittenTransaction> {
  readonly written: T[] = [];
  readonly #write: (transaction: Transaction) => T;
  readonly #limit: string;
  #chars = 0;

  /** `limit` is the parameter that callers can lower when the list becomes too long. */
  constructor(write: (transaction: Transaction) => T, limit: string) {
    this.#write = write;
    this.#limit = limit;
  }

  /** Writes one more; throws when the list becomes too long for one response. A single transaction never is. */
  add(transaction: Transaction): void {
    const written = this.#write(transaction);
    this.#chars += charsOf(written);
    if (this.#chars > MAX_CHARS && this.written.length > 0)
      throw validateRefusal(`${this.#limit} is too large: these transactions are too long for one answer`);
    this.written.push(written);
  }
}

function charsOf({ data, in_msg, out_msgs }: WrittenTransaction): number {
  let chars = FRAME_CHARS + data.length;
  for (const { msg_data } of in_msg === undefined ? out_msgs : [in_msg, ...out_msgs])
    for (const text of Object.values(msg_data)) chars += text.length;
  return chars + FRAME_CHARS * (1 + out_msgs.length);
}
