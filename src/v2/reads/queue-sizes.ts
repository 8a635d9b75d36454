import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';
import { topBlock } from '../../chain/tlb/find-shard.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import { getAllShardsInfo } from '../../lite/queries/get-all-shards-info.ts';
import { getBlockOutMsgQueueSize } from '../../lite/queries/get-block-out-msg-queue-size.ts';
import { getOutMsgQueueSizes } from '../../lite/queries/get-out-msg-queue-sizes.ts';
import type { LiteTarget } from '../../lite/session.ts';
import type { V2Call } from '../call.ts';

/** How many messages wait in the out-queues at the reference block. */
export interface QueueSizes {
  /** The masterchain first. */
  readonly queues: readonly { readonly block: BlockId; readonly size: number }[];
  /** From which size on a shard refuses external messages. */
  readonly limit: number;
}

const AT_A_TIME = 16;

/** Reads the sizes of all out-queues at the reference block. */
export async function queueSizes(
  { ports: { check } }: V2Call,
  { query, reference }: LiteTarget,
): Promise<QueueSizes> {
  const sizeOf = async (block: BlockId) => ({
    block,
    // Nothing waits in a zero state, and no server has a block to prove that with.
    size: block.seqno === 0 ? 0 : await getBlockOutMsgQueueSize(query, block, check),
  });
  const [shards, { extMsgQueueSizeLimit }] = await Promise.all([
    getAllShardsInfo(query, reference, check),
    getOutMsgQueueSizes(query, { workchain: MASTERCHAIN, shard: WHOLE_SHARD }),
  ]);
  const queues = await mapInOrder([reference, ...shards.map(topBlock)], AT_A_TIME, sizeOf);
  return { queues, limit: extMsgQueueSizeLimit };
}
