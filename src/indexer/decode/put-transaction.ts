import type { BlockId } from '../../chain/block-id.ts';
import type { Message } from '../../chain/tlb/message.ts';
import { normalizedHash } from '../../chain/tlb/message-normalized-hash.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import type { StateSummary } from './decoded-seqno.ts';
import { putMessageRow } from './message-row.ts';
import { readEvent } from './read-event.ts';
import type { SeqnoParts } from './seqno-parts.ts';
import { putTransactionRow } from './transaction-row.ts';

/** What a block says of a transaction. */
interface TransactionPlace {
  readonly account: Buffer;
  /** Whether no account sent its message. */
  readonly isSystem: boolean;
  /** The state after it, where the block shows it. */
  readonly after: StateSummary | undefined;
}

/** Adds a transaction of a block with its messages. */
export function putTransaction(
  parts: SeqnoParts,
  { shard, seqno }: BlockId,
  transaction: Transaction,
  { account, isSystem, after }: TransactionPlace,
): void {
  const { mcSeqno, globalVersion, messages, contents } = parts;
  const { inMessage, outMessages, lt } = transaction;
  const putMessage = (message: Message, ordinal: number, normalized: Buffer | undefined): void => {
    const facts = { mcSeqno, globalVersion, account, lt, ordinal, message, normalizedHash: normalized };
    putMessageRow(messages, facts);
    contents.add(message);
  };
  const normalized = inMessage && normalizedUnlessSame(inMessage);
  if (inMessage !== undefined) putMessage(inMessage, 0, normalized);
  for (const [i, message] of outMessages.entries()) putMessage(message, i + 1, undefined);
  const facts = { mcSeqno, shard, seqno, account, transaction, after };
  const traceIdAt = putTransactionRow(parts.transactions, facts);
  parts.traces.add({ account, transaction, isSystem, normalizedHash: normalized, traceIdAt });
  const event = readEvent(account, mcSeqno, transaction);
  if (event !== undefined) parts.events.push(event);
}

function normalizedUnlessSame(message: Message): Buffer | undefined {
  if (message.info.kind !== 'external-in') return undefined;
  const normalized = normalizedHash(message);
  return normalized.equals(message.hash) ? undefined : normalized;
}
