import { type FoundShard, findShard } from '../../../chain/tlb/find-shard.ts';
import type { ShardIdent } from '../../../chain/tlb/shard-ident.ts';
import type { BlockAndState } from '../known-blocks.ts';
import { stateProofs } from './header-proof.ts';
import { ProvenTree } from './proven-tree.ts';
import { readMasterchainState } from './state-reading.ts';

/** What a masterchain block says about a shard: a bag with two proofs, and what they show. */
export interface TopBlockProof {
  readonly proof: Buffer;
  readonly shard: FoundShard | undefined;
}

/** Finds the shard that holds another one, or with `exact` that one itself, in the state after a masterchain block. */
export function topBlockProof(block: BlockAndState, ident: ShardIdent, exact: boolean): TopBlockProof {
  const tree = new ProvenTree(block.state);
  const { extra } = readMasterchainState(tree);
  const shard = findShard(tree.cells, extra.shardHashes, ident, exact);
  return { proof: stateProofs(block, tree), shard };
}
