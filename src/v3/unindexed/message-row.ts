import { accountKeyOf } from '../../chain/address/account-key.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { Message } from '../../chain/tlb/message.ts';
import { normalizedHash } from '../../chain/tlb/message-normalized-hash.ts';
import { type MessagePart, sliceOf } from '../../chain/tlb/message-part.ts';
import type { WholeMessage } from '../../db/queries/message-contents.ts';
import { extraColumn, textColumn } from './column-values.ts';

/** The global version from which on a field of messages holds flags; before it held a fee. */
const FLAGS_FROM_VERSION = 12;

/** Where a message is seen. */
interface MessagePlace {
  readonly mcSeqno: number;
  /** 0 as long as it is not known: then it is one of today. */
  readonly globalVersion: number;
  /** Of the transaction that received or sent it. */
  readonly account: Buffer;
  readonly lt: bigint;
  /** 0 for the inbound one. */
  readonly ordinal: number;
}

/** A message as a transaction saw it, in the form in which the index would have it. */
export function messageRow(message: Message, place: MessagePlace): WholeMessage {
  const { account, lt, ordinal, mcSeqno } = place;
  const { cells, info, init } = message;
  const internal = info.kind === 'internal' ? info : undefined;
  const hasFlags = place.globalVersion === 0 || place.globalVersion >= FLAGS_FROM_VERSION;
  return {
    ...{ account, tx_lt: String(lt), ordinal, mc_seqno: mcSeqno },
    hash: message.hash,
    hash_norm: normalizedUnlessSame(message),
    peer: accountKeyOf(ordinal === 0 ? info.src : info.dest) ?? null,
    lt: String(info.kind === 'external-in' ? lt : info.createdLt),
    created_at: info.kind === 'external-in' ? null : String(info.createdAt),
    value: textColumn(internal?.value.grams),
    value_extra: extraColumn(cells, internal?.value),
    fwd_fee: textColumn(internal?.fwdFee),
    ihr_fee: textColumn(internal && (hasFlags ? 0n : internal.extraFlags)),
    extra_flags: textColumn(hasFlags ? internal?.extraFlags : undefined),
    import_fee: info.kind === 'external-in' ? String(info.importFee) : null,
    opcode: message.opcode === undefined ? null : message.opcode | 0,
    ihr_disabled: internal?.ihrDisabled ?? null,
    bounce: internal?.bounce ?? null,
    bounced: internal?.bounced ?? null,
    body_hash: message.bodyHash,
    body: bagOf(cells, message.body),
    init_hash: init?.hash ?? null,
    init: init === undefined ? null : bagOf(cells, init.part),
  };
}

function normalizedUnlessSame(message: Message): Buffer | null {
  if (message.info.kind !== 'external-in') return null;
  const normalized = normalizedHash(message);
  return normalized.equals(message.hash) ? null : normalized;
}

function bagOf(cells: Cells, part: MessagePart): Buffer {
  return writeBoc(part.whole ? { cells, roots: [part.cell] } : sliceOf(cells, part), { order: 'tonlib' });
}
