import type { Static } from 'typebox';
import Type from 'typebox';
import type { Cells } from '../chain/boc/cells.ts';
import { currencyTexts } from '../chain/tlb/currency.ts';
import { type Message, normalizedUnlessSame, writePart } from '../chain/tlb/message.ts';
import { formatUnusual, type MsgAddress } from '../chain/tlb/msg-address.ts';
import { receiverOf, senderOf } from '../chain/tlb/placed-transaction.ts';
import type { ParameterValues } from '../http/operation.ts';
import { asItem, PlainText } from '../http/serializer.ts';
import {
  type FoundMessage,
  type ListedMessage,
  listMessages,
  type MessageFilters,
  messageOrder,
  ReadyMessage,
} from '../index/read/messages.ts';
import { TransactionReader } from '../index/read/transaction-reader.ts';
import { mapInSlices } from '../lib/slices.ts';
import { loadAddressInfoFields, withAddressInfo } from './address-book.ts';
import { type DecodedBodies, decodedBodySchema } from './decoded-bodies.ts';
import { compileReadyText } from './envelope.ts';
import { noteCursorAfter, sortedWindowParams, spanParams, toSpan, toWindow } from './list-parameters.ts';
import { defineV3Operation, type ListLimits, type V3Call } from './operation.ts';
import {
  addressOrNullParam,
  booleanParam,
  choiceParam,
  hashesParam,
  hashParam,
  opcodeParam,
  toAccountOrNull,
} from './parameter-kinds.ts';
import { invalidParameter, MAX_INT64 } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, formatHash, formatOpcode, MapOf, Nullable } from './values.ts';

export const createMessages = (limits: ListLimits) =>
  defineV3Operation({
    name: 'messages',
    tag: 'blockchain',
    summary: 'Messages',
    description:
      'Ordered by logical time of creation, or by time if a time bound is given, then by hash. External messages are placed where they were received; they have no creation time, so time and lt bounds exclude them.',
    parameters: {
      ...messageFilterParams(),
      ...sortedWindowParams(limits),
    },
    result: withAddressInfo('MessagesResponse', { messages: Type.Array(messageSchema) }),
    handler: (params, call) => {
      const [filters, { sort }] = [toMessageFilters(params), params];
      if (params.msg_hash.length > 0 && params.hash.length > 0)
        throw invalidParameter('hash', 'cannot use both legacy and new message hashes');
      const keys = messageOrder({ filters, sort });
      const page = toWindow(params, keys);
      return readIndex(call, async (db) => {
        const reader = new TransactionReader(db, call);
        const hashes = params.msg_hash.length > 0 ? params.msg_hash : params.hash;
        const { items, next } = await listMessages(reader, { hashes, filters, sort, page });
        noteCursorAfter(call, keys, next);
        const shown = await mapInSlices(items, (one) => show(call, one), call.signal);
        const accounts = shown.flatMap(({ source, destination }) => [source, destination]);
        return {
          messages: shown.map(({ text }) => asItem<MessageJson>(text)),
          ...(await loadAddressInfoFields(call, db, accounts)),
        };
      });
    },
  });

/** Writes a message, unless other responses showed it, and keeps it for others. */
function show({ bodies, cache }: V3Call, one: FoundMessage): ReadyMessage {
  if (one instanceof ReadyMessage) return one;
  const shown = new ReadyMessage(one, writeMessage(toListedMessage(one, bodies)));
  if (one.origin !== undefined && bodies.areWhole()) cache?.add(one.origin.key, shown, one.origin);
  return shown;
}

function toListedMessage({ message, receiver, sender }: ListedMessage, bodies: DecodedBodies): MessageJson {
  const { account, hasExtraFlags } = (receiver ?? sender)!;
  return {
    ...toMessage(message, { account, hasExtraFlags, isReceived: receiver !== undefined }, bodies),
    ...(receiver && { in_msg_tx_hash: formatHash(receiver.hash) }),
    ...(sender && { out_msg_tx_hash: formatHash(sender.hash) }),
  };
}

function messageFilterParams() {
  return {
    msg_hash: hashesParam('Message hashes, normalized or not.'),
    hash: hashesParam('Older name of `msg_hash`; only one of the two can be given.'),
    body_hash: hashParam('Hash of the body.'),
    source: addressOrNullParam('Sender; `null` or `addr_none` for external messages.'),
    destination: addressOrNullParam('Receiver; `null` or `addr_none` for messages to outside the chain.'),
    opcode: opcodeParam('First 32 bits of the body.'),
    ...spanParams({ utime: 'Time of creation', lt: 'Logical time of creation' }),
    direction: choiceParam(
      ['in', 'out'],
      'Only received messages (`in`) or only sent messages (`out`), with the transaction on that side.',
    ),
    exclude_externals: booleanParam('Exclude external messages.', { fallback: false }),
    only_externals: booleanParam('Only external messages.', { fallback: false }),
  };
}

function toMessageFilters(params: ParameterValues<ReturnType<typeof messageFilterParams>>): MessageFilters {
  return {
    bodyHash: params.body_hash,
    source: toAccountOrNull(params.source),
    destination: toAccountOrNull(params.destination),
    opcode: params.opcode,
    direction: params.direction,
    onlyExternals: params.only_externals,
    excludeExternals: params.exclude_externals,
    span: toSpan(params),
  };
}

const contentSchema = Type.Object(
  {
    hash: PlainText(),
    body: Nullable(PlainText({ description: 'A bag of cells in base64; null if it is no longer stored.' })),
    decoded: decodedBodySchema,
  },
  { title: 'MessageContent' },
);

/** A message; fields that its kind does not have are null. */
export const messageSchema = Type.Object(
  {
    hash: PlainText(),
    source: Nullable(PlainText({ description: 'Null for external messages.' })),
    destination: Nullable(PlainText({ description: 'Null for messages to outside the chain.' })),
    value: Nullable(PlainText()),
    value_extra_currencies: Nullable(MapOf(PlainText())),
    fwd_fee: Nullable(PlainText()),
    ihr_fee: Nullable(PlainText()),
    extra_flags: Nullable(PlainText()),
    created_lt: Nullable(PlainText()),
    created_at: Nullable(PlainText()),
    opcode: Nullable(PlainText({ description: 'The first 32 bits of the body, as 0x and hex.' })),
    decoded_opcode: Nullable(PlainText({ description: 'Name of the opcode; null if unknown.' })),
    ihr_disabled: Nullable(Type.Boolean()),
    bounce: Nullable(Type.Boolean()),
    bounced: Nullable(Type.Boolean()),
    import_fee: Nullable(PlainText()),
    in_msg_tx_hash: Type.Optional(PlainText({ description: 'The transaction that received the message.' })),
    out_msg_tx_hash: Type.Optional(PlainText({ description: 'The transaction that sent the message.' })),
    message_content: Nullable(contentSchema),
    init_state: Nullable(contentSchema),
    hash_norm: Type.Optional(
      PlainText({ description: 'The normalized hash of an external message, if it differs.' }),
    ),
  },
  { title: 'Message' },
);

export type MessageJson = Static<typeof messageSchema>;

const writeMessage = compileReadyText(messageSchema);

interface ShownSide {
  readonly account: Buffer;
  /** Whether it received the message; otherwise it sent it. */
  readonly isReceived: boolean;
  readonly hasExtraFlags: boolean;
}

/** Writes a message as seen by one of its two transactions. */
export function toMessage(message: Message, side: ShownSide, bodies: DecodedBodies): MessageJson {
  const { cells, info, init, opcode } = message;
  const { account, isReceived, hasExtraFlags } = side;
  const internal = info.kind === 'internal' ? info : undefined;
  const created = info.kind === 'external-in' ? undefined : info;
  const source = isReceived ? senderOf(message) : account;
  const destination = isReceived ? account : receiverOf(message);
  const normalized = normalizedUnlessSame(message);
  return {
    hash: formatHash(message.hash),
    source: source === undefined ? unusualEnd(info.src) : formatAccount(source),
    destination: destination === undefined ? unusualEnd(info.dest) : formatAccount(destination),
    value: textOrNull(internal?.value.grams),
    value_extra_currencies: internal === undefined ? null : currencyTexts(cells, internal.value),
    fwd_fee: textOrNull(internal?.fwdFee),
    ihr_fee: textOrNull(internal && (hasExtraFlags ? 0n : internal.extraFlags)),
    extra_flags: textOrNull(hasExtraFlags ? internal?.extraFlags : undefined),
    created_lt: textOrNull(created?.createdLt),
    created_at: textOrNull(created?.createdAt),
    opcode: opcode === undefined ? null : formatOpcode(opcode),
    decoded_opcode: opcode === undefined ? null : (bodies.opcodeName(opcode >>> 0) ?? null),
    ihr_disabled: internal?.ihrDisabled ?? null,
    bounce: internal?.bounce ?? null,
    bounced: internal?.bounced ?? null,
    import_fee: info.kind === 'external-in' && info.importFee <= MAX_INT64 ? String(info.importFee) : null,
    message_content: { hash: formatHash(message.bodyHash), ...bodies.contentOf(message) },
    init_state: init === undefined ? null : toInitState(cells, init),
    ...(normalized && { hash_norm: formatHash(normalized) }),
  };
}

/** An end of a message that is not an account of the index: only addresses of another length are shown. */
function unusualEnd(address: MsgAddress): string | null {
  return address.kind === 'var' ? formatUnusual(address) : null;
}

function toInitState(
  cells: Cells,
  { hash, part }: NonNullable<Message['init']>,
): Static<typeof contentSchema> {
  return { hash: formatHash(hash), body: writePart(cells, part).toString('base64'), decoded: null };
}

function textOrNull(value: bigint | number | undefined): string | null {
  return value === undefined ? null : String(value);
}
