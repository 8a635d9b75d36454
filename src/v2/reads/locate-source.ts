import type { Transaction } from '../../chain/tlb/transaction.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import type { V2Call } from '../call.ts';
import { isMessage, type MessagePlace } from './message-place.ts';
import { type MessageSearch, openMessageSearch } from './message-search.ts';

/**
 * The transaction that sent a message, or undefined. Messages get the times right after that of their transaction, so it
 * can only be the sender's last one before the message.
 */
export async function locateSource(
  call: V2Call,
  { source, destination, createdLt }: MessagePlace,
): Promise<Transaction | undefined> {
  const search = await openMessageSearch(call, source);
  const found = await lastBefore(search, createdLt);
  if (found === undefined) return undefined;
  const transaction = search.read(found);
  const sent = transaction.outMessages.some((message) => isMessage(message, 'dest', destination, createdLt));
  return sent ? transaction : undefined;
}

/** The account's last transaction before a logical time, if it is a recent one or in the block around that time. */
async function lastBefore(search: MessageSearch, lt: bigint): Promise<FoundCell | undefined> {
  const { transactions, endLt } = await search.recent();
  const recent = transactions.find((transaction) => transaction.lt < lt);
  if (recent !== undefined || lt > endLt) return recent;
  const { own } = await search.inBlock(await search.blockAt(lt), { lt, count: 1, reverse: true });
  return own[0];
}
