import Type from 'typebox';
import type { QueueSizes } from '../reads/queue-sizes.ts';
import { BlockIdExt, blockIdExt } from './block-id.ts';

/** `blocks.outMsgQueueSizes`. */
export const OutMsgQueueSizes = Type.Object({
  '@type': Type.Literal('blocks.outMsgQueueSizes'),
  shards: Type.Array(
    Type.Object({
      '@type': Type.Literal('blocks.outMsgQueueSize'),
      id: BlockIdExt,
      size: Type.Integer(),
    }),
  ),
  ext_msg_queue_size_limit: Type.Integer(),
});

/** Writes `blocks.outMsgQueueSizes`. */
export function outMsgQueueSizes({ queues, limit }: QueueSizes) {
  return {
    '@type': 'blocks.outMsgQueueSizes' as const,
    shards: queues.map(({ block, size }) => ({
      '@type': 'blocks.outMsgQueueSize' as const,
      id: blockIdExt(block),
      size,
    })),
    ext_msg_queue_size_limit: limit,
  };
}
