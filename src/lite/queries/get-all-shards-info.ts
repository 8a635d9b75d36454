import type { BlockId } from '../../chain/block-id.ts';
import type { ShardDescr } from '../../chain/tlb/shard-hashes-descr.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import { checkAllShards } from '../proofs/shards.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** The newest blocks of all shards that a masterchain block names, in the order that clients expect. */
export async function getAllShardsInfo(
  ask: Ask,
  block: BlockId,
  options: CheckOptions,
): Promise<ShardDescr[]> {
  const answer = await askFor(ask, { method: 'getAllShardsInfo', id: block }, 'VALIDATE_BLOCK_PROOF');
  return checkAllShards(answer, block, options);
}
