import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { ShardIdent } from '../../chain/tlb/block.ts';
import { readOutMsgQueueInfo } from '../../chain/tlb/queues.ts';
import type { LiteResponseOf, LiteType } from './codec.ts';
import {
  type CheckOptions,
  checkState,
  openProofPair,
  type QueryServer,
  queryProvable,
  queryUnproven,
  refuse,
  runProofCheck,
  withErrorContext,
} from './proofs.ts';

/** A bit of the mode of both functions about one block: the response has a proof. */
export const QUEUE_WITH_PROOF = 1;

/** How many messages wait in the out-queue of a shard after a block. */
export async function getBlockOutMsgQueueSize(query: QueryServer, block: BlockId, options: CheckOptions) {
  const request = { mode: options.verify ? QUEUE_WITH_PROOF : 0, id: block };
  const response = await queryProvable(query, 'getBlockOutMsgQueueSize', request, 'VALIDATE_BLOCK_PROOF');
  return checkQueueSize(response, block, options);
}

/** Checks the response of getBlockOutMsgQueueSize, which must have a proof if that is verified; returns the size. */
export function checkQueueSize(
  response: LiteResponseOf<'getBlockOutMsgQueueSize'>,
  block: BlockId,
  options: CheckOptions,
): number {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(response.id, block)) refuse('Liteserver responded with wrong block');
    if (!options.verify) return Number(response.size);
    if (response.proof === undefined) refuse('no proof of the size of the out message queue');
    const [headerCell, stateCell] = openProofPair(response.proof, 'proof', options);
    const { cells, state } = withErrorContext('error in block header proof: ', () =>
      checkState(headerCell, stateCell, block, options),
    );
    const size = readOutMsgQueueInfo(cells, state.outMsgQueueInfo).extra?.outQueueSize;
    if (size === undefined) refuse('no out_msg_queue_size in shard state');
    if (BigInt(size) !== response.size) refuse('queue size mismatch');
    return size;
  });
}

const OF_SHARD = 1;

/** Sizes of the out-queues at the server's head, of all shards or of those that intersect one; nothing proves them. */
export function getOutMsgQueueSizes(query: QueryServer, shard?: ShardIdent) {
  const part = shard && { workchain: shard.workchain, shard: shard.shard };
  return queryUnproven(query, 'getOutMsgQueueSizes', { mode: part ? OF_SHARD : 0, ...part });
}

export type AccountDispatchQueueInfo = LiteType<'accountDispatchQueueInfo'>;
