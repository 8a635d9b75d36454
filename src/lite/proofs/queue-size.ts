import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { BlockOutMsgQueueSize } from '../../chain/tl/queues.ts';
import { readOutMsgQueueInfo } from '../../chain/tlb/out-msg-queue-info.ts';
import { openProofPair } from './open-proof.ts';
import { type CheckOptions, explaining, proving, refuse } from './proof-scope.ts';
import { checkState } from './state-proof.ts';

/** Checks the answer of getBlockOutMsgQueueSize, with a proof unless `verify` is off: the size of a block's out-queue. */
export function checkQueueSize(answer: BlockOutMsgQueueSize, block: BlockId, options: CheckOptions): number {
  return proving('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    if (!options.verify) return Number(answer.size);
    if (answer.proof === undefined) refuse('no proof of the size of the out message queue');
    const [headerCell, stateCell] = openProofPair(answer.proof, 'proof', options);
    const { cells, state } = explaining('error in block header proof: ', () =>
      checkState(headerCell, stateCell, block, options),
    );
    const size = readOutMsgQueueInfo(cells, state.outMsgQueueInfo).extra?.outQueueSize;
    if (size === undefined) refuse('no out_msg_queue_size in shard state');
    if (BigInt(size) !== answer.size) refuse('queue size mismatch');
    return size;
  });
}
