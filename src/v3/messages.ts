import type { Static } from 'typebox';
import Type from 'typebox';
import {
  type ListedMessage,
  type MessageDetails,
  type MessageFilters,
  messageOrder,
  readMessageDetails,
  readMessages,
} from '../db/queries/messages.ts';
import {
  defineOperation,
  type Operation,
  type OperationExample,
  type ParameterValues,
} from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { mapInSlices } from '../lib/slices.ts';
import { addressInfoFields, loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { type DecodedBodies, decodedBodySchema } from './decoded-bodies.ts';
import { recordedExample } from './examples.ts';
import {
  noteNextCursor,
  type PageLimits,
  pageParams,
  sortParam,
  spanParams,
  toPage,
  toSpan,
} from './pages.ts';
import {
  addressOrNullParam,
  booleanParam,
  choiceParam,
  hashesParam,
  hashParam,
  MAX_INT64,
  opcodeParam,
  toAccountOrNull,
} from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, formatHash, formatOpcode, MapOf, Nullable } from './values.ts';

/** Messages, each once, with the transactions that received and sent it. */
export function createMessages(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'messages',
    methods: ['GET'],
    tag: 'blockchain',
    summary: 'Messages',
    description:
      'Ordered by logical time of creation, or by time if a time bound is given, then by hash. External messages are placed where they were received; they have no creation time, so time and lt bounds exclude them.',
    parameters: {
      ...messageFilterParams(),
      ...pageParams(limits),
      sort: sortParam({ description: 'Sort direction.', fallback: 'desc' }),
    },
    result: Type.Object(
      { messages: Type.Array(messageSchema), ...addressInfoFields },
      { title: 'MessagesResponse' },
    ),
    cache: 'head',
    examples: MESSAGE_EXAMPLES,
    handler: (params, call: V3Call) => {
      const [filters, { sort }] = [toMessageFilters(params), params];
      const keys = messageOrder({ filters, sort });
      const page = toPage(params, keys);
      return readIndex(call, async (db) => {
        const found = await readMessages(db, { filters, sort, page });
        noteNextCursor(call, keys, page, found);
        const messages = await readMessageDetails(db, { found });
        const accounts = messages.flatMap(({ account, peer }) => [account, peer]);
        const toShown = (message: ListedMessage) => toListedMessage(message, call.bodies);
        return {
          messages: await mapInSlices(messages, toShown, call.signal),
          ...(await loadAddressInfoFields(call, db, accounts)),
        };
      });
    },
  });
}

function toListedMessage(message: ListedMessage, bodies: DecodedBodies): MessageJson {
  const { received_by, sent_by } = message;
  return {
    ...toMessage(message, bodies),
    ...(received_by && { in_msg_tx_hash: formatHash(received_by) }),
    ...(sent_by && { out_msg_tx_hash: formatHash(sent_by) }),
  };
}

/** The parameters that select messages. */
function messageFilterParams() {
  return {
    msg_hash: hashesParam({ description: 'Message hashes, normalized or not.' }),
    hash: hashesParam({ description: 'Older name of `msg_hash`, used if that is absent.' }),
    body_hash: hashParam({ description: 'Hash of the body.' }),
    source: addressOrNullParam({ description: 'Sender; `null` for external messages.' }),
    destination: addressOrNullParam({ description: 'Receiver; `null` for messages to outside the chain.' }),
    opcode: opcodeParam({ description: 'First 32 bits of the body.' }),
    ...spanParams({ utime: 'Time of creation', lt: 'Logical time of creation' }),
    direction: choiceParam(['in', 'out'], {
      description:
        'Only received messages (`in`) or only sent messages (`out`), with the transaction on that side.',
    }),
    exclude_externals: booleanParam({ description: 'Exclude external messages.', fallback: false }),
    only_externals: booleanParam({ description: 'Only external messages.', fallback: false }),
  };
}

/** Converts the parameters of a request to filters. */
function toMessageFilters(params: ParameterValues<ReturnType<typeof messageFilterParams>>): MessageFilters {
  return {
    hashes: params.msg_hash.length > 0 ? params.msg_hash : params.hash,
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

/** Writes a message as seen by one of its two transactions. */
export function toMessage(row: MessageDetails, bodies: DecodedBodies): MessageJson {
  const { account, peer, ordinal, value, import_fee } = row;
  const [source, destination] = ordinal === 0 ? [peer, account] : [account, peer];
  return {
    hash: formatHash(row.hash),
    source: source && formatAccount(source),
    destination: destination && formatAccount(destination),
    value,
    value_extra_currencies: value === null ? null : (row.value_extra ?? {}),
    fwd_fee: row.fwd_fee,
    ihr_fee: row.ihr_fee,
    extra_flags: row.extra_flags,
    // For external messages the index stores the lt of their transaction, to order by.
    created_lt: row.created_at === null ? null : row.lt,
    created_at: row.created_at,
    opcode: row.opcode === null ? null : formatOpcode(row.opcode),
    decoded_opcode: row.opcode === null ? null : (bodies.opcodeName(row.opcode >>> 0) ?? null),
    ihr_disabled: row.ihr_disabled,
    bounce: row.bounce,
    bounced: row.bounced,
    import_fee: import_fee !== null && BigInt(import_fee) <= MAX_INT64 ? import_fee : null,
    message_content: toContent(row.body_hash, row.body, bodies.decodedJson(row.body)),
    init_state: row.init_hash && toContent(row.init_hash, row.init, null),
    ...(row.hash_norm !== null && { hash_norm: formatHash(row.hash_norm) }),
  };
}

function toContent(hash: Buffer, boc: Buffer | null, decoded: string | null): Static<typeof contentSchema> {
  return { hash: formatHash(hash), body: boc?.toString('base64') ?? null, decoded };
}

const MESSAGE_EXAMPLES: readonly OperationExample<never>[] = [
  recordedExample('messages'),
  {
    title: 'An unknown direction',
    params: { direction: 'both' },
    failure: { code: 422, text: 'direction should be one of: in, out' },
  },
  {
    title: 'A malformed hash',
    params: { msg_hash: ['zz'] },
    failure: {
      code: 422,
      text: 'failed to decode: schema: error converting value for index 0 of "msg_hash"',
    },
  },
];
