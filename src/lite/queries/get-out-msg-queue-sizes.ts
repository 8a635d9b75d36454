import type { OutMsgQueueSizes } from '../../chain/tl/queues.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';
import type { Ask } from './ask.ts';
import { askPlainly } from './ask-for.ts';

const OF_SHARD = 1;

/** Sizes of the out-queues at the server's head, of all shards or of those that meet one; nothing proves them. */
export function getOutMsgQueueSizes(ask: Ask, shard?: ShardIdent): Promise<OutMsgQueueSizes> {
  const method = 'getOutMsgQueueSizes';
  if (shard === undefined) return askPlainly(ask, { method, mode: 0 });
  return askPlainly(ask, { method, mode: OF_SHARD, workchain: shard.workchain, shard: shard.shard });
}
