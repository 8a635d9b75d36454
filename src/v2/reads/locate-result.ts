import type { Transaction } from '../../chain/tlb/transaction.ts';
import type { ProvenHeader } from '../../lite/proofs/block-header.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import type { V2Call } from '../call.ts';
import { isMessage, type MessagePlace } from './message-place.ts';
import { openMessageSearch } from './message-search.ts';

/** Blocks that are searched for a message after the one in which it was created. */
const MAX_BLOCKS = 50;
const PAGE = 16;

/**
 * The transaction that a message led to, or undefined. Messages that are asked for are mostly new, so the receiver's
 * last transactions are looked at first: if they reach back to the message, there is nothing else to search. Otherwise
 * the blocks of its shard are, from the one where the message was created.
 */
export async function locateResult(
  call: V2Call,
  { source, destination, createdLt }: MessagePlace,
): Promise<Transaction | undefined> {
  const search = await openMessageSearch(call, destination);
  const { transactions, endLt } = await search.recent();
  const later = transactions.filter(({ lt }) => lt > createdLt);
  const found = receiverIn(later);
  if (found !== undefined || later.length < transactions.length || createdLt >= endLt) return found;
  const oldest = later.at(-1);
  // An account that was deleted and made again has no link to what it did before.
  const before = oldest?.prevTransLt ?? 0n;
  if (before > 0n && before <= createdLt) return undefined;
  return searchBlocks(oldest?.lt ?? endLt);

  function receiverIn(candidates: readonly FoundCell[]): Transaction | undefined {
    for (const candidate of candidates) {
      const transaction = search.read(candidate);
      const { inMessage } = transaction;
      if (inMessage !== undefined && isMessage(inMessage, 'src', source, createdLt)) return transaction;
    }
    return undefined;
  }

  async function searchBlocks(untilLt: bigint): Promise<Transaction | undefined> {
    let lt = createdLt;
    for (let blocks = 0; blocks < MAX_BLOCKS; blocks++) {
      const header = await search.blockAt(lt);
      const found = await searchBlock(header);
      if (found !== undefined || header.info.endLt >= untilLt) return found;
      lt = header.info.endLt + 1n;
    }
    return undefined;
  }

  async function searchBlock(header: ProvenHeader): Promise<Transaction | undefined> {
    for (let lt = createdLt; ; ) {
      const { own, more } = await search.inBlock(header, { lt, count: PAGE });
      const found = receiverIn(own);
      const last = own.at(-1)?.lt ?? lt;
      if (found !== undefined || !more || last <= lt) return found;
      lt = last;
    }
  }
}
