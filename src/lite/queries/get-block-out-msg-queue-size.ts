import type { BlockId } from '../../chain/block-id.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import { checkQueueSize } from '../proofs/queue-size.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

const WITH_PROOF = 1;

/** How many messages wait in the out-queue of a shard after a block. */
export async function getBlockOutMsgQueueSize(
  ask: Ask,
  block: BlockId,
  options: CheckOptions,
): Promise<number> {
  const mode = options.verify ? WITH_PROOF : 0;
  const request = { method: 'getBlockOutMsgQueueSize', mode, id: block } as const;
  return checkQueueSize(await askFor(ask, request, 'VALIDATE_BLOCK_PROOF'), block, options);
}
