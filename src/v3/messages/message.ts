import Type, { type Static } from 'typebox';
import type { WholeMessage } from '../../db/queries/message-contents.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { type DecodedBodies, meaningSchema } from '../decoded-bodies.ts';
import { MapOf } from '../map-of.ts';
import { Nullable } from '../nullable.ts';
import { formatHash, formatOpcode } from '../value-texts.ts';

const contentSchema = Type.Object({
  hash: PlainText(),
  body: Nullable(PlainText({ description: 'A bag of cells; null when it is no longer kept.' })),
  decoded: meaningSchema,
});

/** A message. Absent members stay absent; those that a kind of message does not have are null. */
export const messageSchema = Type.Object({
  hash: PlainText(),
  source: Nullable(PlainText({ description: 'Null when it came from outside.' })),
  destination: Nullable(PlainText({ description: 'Null when it went outside.' })),
  value: Nullable(PlainText()),
  value_extra_currencies: Nullable(MapOf(PlainText())),
  fwd_fee: Nullable(PlainText()),
  ihr_fee: Nullable(PlainText()),
  extra_flags: Nullable(PlainText()),
  created_lt: Nullable(PlainText()),
  created_at: Nullable(PlainText()),
  opcode: Nullable(PlainText({ description: 'The first 32 bits of the body, 0x and hex.' })),
  decoded_opcode: Nullable(PlainText({ description: 'Its name; null when it has none.' })),
  ihr_disabled: Nullable(Type.Boolean()),
  bounce: Nullable(Type.Boolean()),
  bounced: Nullable(Type.Boolean()),
  import_fee: Nullable(PlainText()),
  in_msg_tx_hash: Type.Optional(PlainText({ description: 'The transaction that received it.' })),
  out_msg_tx_hash: Type.Optional(PlainText({ description: 'The transaction that sent it.' })),
  message_content: Nullable(contentSchema),
  init_state: Nullable(contentSchema),
  hash_norm: Type.Optional(
    PlainText({ description: 'The normalized hash of a message from outside, where it differs.' }),
  ),
});

export type MessageJson = Static<typeof messageSchema>;

const MAX_INT64 = 2n ** 63n - 1n;

/** Writes a message as one of the transactions that it belongs to saw it. */
export function toMessage(row: WholeMessage, bodies: DecodedBodies): MessageJson {
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
    // The index gives messages from outside the time of their transaction, to order them by.
    created_lt: row.created_at === null ? null : row.lt,
    created_at: row.created_at,
    opcode: row.opcode === null ? null : formatOpcode(row.opcode),
    decoded_opcode: row.opcode === null ? null : (bodies.opcodeName(row.opcode >>> 0) ?? null),
    ihr_disabled: row.ihr_disabled,
    bounce: row.bounce,
    bounced: row.bounced,
    import_fee: import_fee !== null && BigInt(import_fee) <= MAX_INT64 ? import_fee : null,
    message_content: toContent(row.body_hash, row.body, bodies.meaningOf(row.body)),
    init_state: row.init_hash && toContent(row.init_hash, row.init, null),
    ...(row.hash_norm !== null && { hash_norm: formatHash(row.hash_norm) }),
  };
}

function toContent(hash: Buffer, boc: Buffer | null, decoded: string | null): Static<typeof contentSchema> {
  return { hash: formatHash(hash), body: boc?.toString('base64') ?? null, decoded };
}
