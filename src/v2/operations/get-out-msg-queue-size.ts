import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getOutMsgQueueSizeExamples } from '../examples/get-out-msg-queue-size.ts';
import { openSession } from '../reads/open-session.ts';
import { queueSizes } from '../reads/queue-sizes.ts';
import { OutMsgQueueSizes, outMsgQueueSizes } from '../shapes/queue-sizes.ts';

/** The sizes of the out-queues of all shards. */
export const getOutMsgQueueSize = defineOperation({
  name: 'getOutMsgQueueSize',
  aliases: ['getOutMsgQueueSizes'],
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'How many messages wait in each shard',
  description: 'The out-queues after the newest blocks: the masterchain first, then all shards.',
  parameters: {},
  result: OutMsgQueueSizes,
  cache: 'head',
  examples: getOutMsgQueueSizeExamples,
  handler: async (_params, call: V2Call) => {
    const session = await openSession(call);
    return outMsgQueueSizes(await session.run((target) => queueSizes(call, target)));
  },
});
