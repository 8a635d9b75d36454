import { accountKeyOf } from '../../chain/address/account-key.ts';
import type { Message } from '../../chain/tlb/message.ts';
import type { InternalInfo } from '../../chain/tlb/message-info.ts';
import { MESSAGE_COLUMNS } from '../../db/copy/columns.ts';
import type { CopyBuffer } from '../../db/copy/copy-buffer.ts';
import { extraJson } from './extra-json.ts';

/** The global version from which on a field of messages holds flags; before it held a fee. */
const FLAGS_FROM_VERSION = 12;

/** What the row of a message is made of. */
export interface MessageFacts {
  readonly mcSeqno: number;
  readonly globalVersion: number;
  /** Of the transaction that received or sent it. */
  readonly account: Buffer;
  readonly lt: bigint;
  /** 0 for the inbound one. */
  readonly ordinal: number;
  readonly message: Message;
  /** Where it differs from the hash. */
  readonly normalizedHash: Buffer | undefined;
}

/** Writes the row of a message, in the order of MESSAGE_COLUMNS. */
export function putMessageRow(rows: CopyBuffer, facts: MessageFacts): void {
  const { message, ordinal } = facts;
  const { info } = message;
  const internal: InternalInfo | undefined = info.kind === 'internal' ? info : undefined;
  const hasFlags = facts.globalVersion >= FLAGS_FROM_VERSION;
  rows
    .row(MESSAGE_COLUMNS.length)
    .bytes(facts.account)
    .int8(facts.lt)
    .int2(ordinal)
    .int4(facts.mcSeqno)
    .bytes(message.hash)
    .bytes(facts.normalizedHash)
    .bytes(accountKeyOf(ordinal === 0 ? info.src : info.dest))
    .int8(info.kind === 'external-in' ? facts.lt : info.createdLt)
    .int8(info.kind === 'external-in' ? undefined : info.createdAt)
    .numeric(internal?.value.grams)
    .json(internal && extraJson(message.cells, internal.value.extra))
    .numeric(internal?.fwdFee)
    .numeric(internal && (hasFlags ? 0n : internal.extraFlags))
    .numeric(hasFlags ? internal?.extraFlags : undefined)
    .numeric(info.kind === 'external-in' ? info.importFee : undefined)
    .int4(message.opcode === undefined ? undefined : message.opcode | 0)
    .bool(internal?.ihrDisabled)
    .bool(internal?.bounce)
    .bool(internal?.bounced)
    .bytes(message.bodyHash)
    .bytes(message.init?.hash);
}
