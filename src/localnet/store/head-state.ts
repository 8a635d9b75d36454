import { MASTERCHAIN } from '../../chain/block-id.ts';
import { readMcStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readOutMsgQueueInfo } from '../../chain/tlb/queues.ts';
import { readShardHashes, type ShardDescr } from '../../chain/tlb/shard-hashes.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import type { ChainStore } from './chain-store.ts';

/** The newest masterchain block with its state, which is always available. */
export type HeadState = Readonly<ReturnType<typeof headState>>;

export function headState(store: ChainStore) {
  const tree = store.state(store.head);
  if (typeof tree !== 'object') throw new Error('the state of the head is missing');
  return { ...tree, id: store.head, state: readShardState(tree.cells, tree.cell) };
}

export function headShards({ cells, state }: HeadState): ShardDescr[] {
  if (state.workchain !== MASTERCHAIN) throw new Error('the head is not a masterchain block');
  return readShardHashes(cells, readMcStateExtra(cells, state.custom).shardHashes);
}

/** The queues of messages at the head: those of the masterchain, then of all shards. */
export function headQueues(store: ChainStore) {
  const head = headState(store);
  return [head.id, ...headShards(head)].flatMap((id) => {
    const tree = store.state(id);
    if (typeof tree !== 'object') return [];
    const { cells, cell } = tree;
    const { outQueue, extra } = readOutMsgQueueInfo(cells, readShardState(cells, cell).outMsgQueueInfo);
    const { dispatchQueue = -1, outQueueSize } = extra ?? {};
    return { id, cells, outQueue, outQueueSize, dispatchQueue };
  });
}
