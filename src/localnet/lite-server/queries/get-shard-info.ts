import { isValidWorkchain, NO_BLOCK } from '../block-names.ts';
import { loadMasterchainBlockAndState } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import { topBlockProof } from '../proofs/shard-proof.ts';
import { writeRoot } from '../proofs/write-roots.ts';
import type { Query } from '../query.ts';

/** The newest block of one shard that a masterchain block names. */
export const getShardInfo: Query<'getShardInfo'> = ({ store }, { id, workchain, shard, exact }) => {
  if (!isValidWorkchain(workchain)) refuse('requested shard is invalid');
  const block = loadMasterchainBlockAndState(store, id);
  const { proof, shard: found } = topBlockProof(block, { workchain, shard }, exact);
  return {
    id,
    shardBlock: found?.descr ?? NO_BLOCK,
    shardProof: proof,
    shardDescr: found ? writeRoot({ cells: block.state.cells, root: found.cell }) : Buffer.alloc(0),
  };
};
