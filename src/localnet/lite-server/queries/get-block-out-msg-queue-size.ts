import { readOutMsgQueueInfo } from '../../../chain/tlb/out-msg-queue-info.ts';
import { isValidBlockId } from '../block-names.ts';
import { loadBlockAndState } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import { stateProofs } from '../proofs/header-proof.ts';
import { ProvenTree } from '../proofs/proven-tree.ts';
import { readState } from '../proofs/state-reading.ts';
import type { Query } from '../query.ts';

const WITH_PROOF = 1;

/** How many messages wait in the out-queue of a shard after a block. */
export const getBlockOutMsgQueueSize: Query<'getBlockOutMsgQueueSize'> = ({ store }, { mode, id }) => {
  if (!isValidBlockId(id)) refuse('invalid BlockIdExt');
  const block = loadBlockAndState(store, id);
  const tree = new ProvenTree(block.state);
  const { extra } = readOutMsgQueueInfo(tree.cells, readState(tree).state.outMsgQueueInfo);
  if (extra?.outQueueSize === undefined) refuse('no out_msg_queue_size in shard state');
  const proof = mode & WITH_PROOF ? stateProofs(block, tree) : undefined;
  return { mode, id, size: BigInt(extra.outQueueSize), proof };
};
