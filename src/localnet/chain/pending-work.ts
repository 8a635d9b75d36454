import type { BlockId } from '../../chain/block-id.ts';
import { readOutMsgQueueInfo } from '../../chain/tlb/out-msg-queue-info.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { headShards, headState } from '../lite-server/head-state.ts';
import type { ChainStore } from '../store/chain-store.ts';

/**
 * Whether further blocks have something to do: deliver messages, or make the first blocks of shards, which lite clients
 * need, or split shards until there are so many.
 */
export function hasPendingWork(store: ChainStore, shards: number): boolean {
  if (store.head.seqno === 0) return true;
  const head = headState(store);
  const tops = headShards(head);
  if (tops.length < shards || tops.some(({ seqno }) => seqno === 0)) return true;
  return [head.id, ...tops].some((id) => hasMessages(store, id));
}

function hasMessages(store: ChainStore, id: BlockId): boolean {
  const tree = store.state(id);
  if (typeof tree !== 'object') return false;
  const { cells, root } = tree;
  const { outQueue, extra } = readOutMsgQueueInfo(cells, readShardState(cells, root).outMsgQueueInfo);
  return outQueue >= 0 || (extra !== undefined && extra.dispatchQueue >= 0);
}
