import type { BlockId } from '../../chain/block-id.ts';
import type { ShardBlockProof } from '../../chain/tl/shard-block-links.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import { checkShardBlockProof } from '../proofs/shard-links.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** The links that lead from a masterchain block, which is still to be proven, to a shard block. */
export async function getShardBlockProof(
  ask: Ask,
  block: BlockId,
  options: CheckOptions,
): Promise<ShardBlockProof> {
  const answer = await askFor(ask, { method: 'getShardBlockProof', id: block }, 'VALIDATE_BLOCK_PROOF');
  return checkShardBlockProof(answer, block, options);
}
