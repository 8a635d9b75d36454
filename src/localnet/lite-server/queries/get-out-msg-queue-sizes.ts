import { type BlockId, WHOLE_SHARD } from '../../../chain/block-id.ts';
import { shardsIntersect } from '../../../chain/shard-prefix.ts';
import { walkDictionary } from '../../../chain/tlb/dictionary.ts';
import { readOutMsgQueueInfo } from '../../../chain/tlb/out-msg-queue-info.ts';
import { readShardState } from '../../../chain/tlb/shard-state.ts';
import type { ChainStore } from '../../store/chain-store.ts';
import { headShards, headState } from '../head-state.ts';
import { loadState } from '../known-blocks.ts';
import type { Query } from '../query.ts';

/** From this size on a node takes no external messages. */
const SIZE_LIMIT = 8000;
const QUEUE_KEY_BITS = 352;

/** The sizes of all out-queues at the head, or of those in a shard. */
export const getOutMsgQueueSizes: Query<'getOutMsgQueueSizes'> = ({ store }, request) => {
  const { workchain, shard = WHOLE_SHARD } = request;
  const head = headState(store);
  const shards = [head.id, ...headShards(head)]
    .filter(
      (top) => workchain === undefined || (top.workchain === workchain && shardsIntersect(top.shard, shard)),
    )
    .map((id) => ({ id, size: queueSize(store, id) }));
  return { shards, extMsgQueueSizeLimit: SIZE_LIMIT };
};

function queueSize(store: ChainStore, id: BlockId): number {
  const { cells, root } = loadState(store, id);
  const { outQueue, extra } = readOutMsgQueueInfo(cells, readShardState(cells, root).outMsgQueueInfo);
  if (extra?.outQueueSize !== undefined) return extra.outQueueSize;
  let size = 0;
  if (outQueue >= 0) walkDictionary(cells, outQueue, QUEUE_KEY_BITS, () => void size++);
  return size;
}
