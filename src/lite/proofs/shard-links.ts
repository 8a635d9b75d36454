import { type BlockId, MASTERCHAIN, sameBlock } from '../../chain/block-id.ts';
import type { ShardBlockLink, ShardBlockProof } from '../../chain/tl/shard-block-links.ts';
import { findShard, topBlock } from '../../chain/tlb/find-shard.ts';
import { checkHeader, checkRootHash } from './block-header.ts';
import { isMasterchainBlock } from './block-place.ts';
import { openProof } from './open-proof.ts';
import { type CheckOptions, proving, refuse } from './proof-scope.ts';
import { shardHashesOf } from './shards.ts';

// Between two masterchain blocks a shard makes no more blocks than this.
const MAX_LINKS = 8;

/** Follows links from a masterchain block through shard blocks, each of which names the next; gives the last one. */
export function followLinks(from: BlockId, links: readonly ShardBlockLink[], options: CheckOptions): BlockId {
  if (links.length > MAX_LINKS) refuse('chain is too long');
  let at = from;
  for (const { id, proof } of links) {
    const found = openProof(proof, options);
    if (at.workchain === MASTERCHAIN) {
      checkRootHash(found, at, options);
      const shard = findShard(found.cells, shardHashesOf(found), id, true);
      if (shard === undefined || !sameBlock(topBlock(shard.descr), id))
        refuse('invalid proof chain: prev block is not in mc shard list');
    } else if (!checkHeader(found, at, options).previous.some((previous) => sameBlock(previous, id)))
      refuse('invalid proof chain: prev block is not in prev blocks list');
    at = id;
  }
  return at;
}

/**
 * Checks the answer of getShardBlockProof: its links lead from a masterchain block to the block that was asked about.
 * The masterchain block, which is given back, is still to be proven.
 */
export function checkShardBlockProof(
  answer: ShardBlockProof,
  block: BlockId,
  options: CheckOptions,
): ShardBlockProof {
  return proving('VALIDATE_BLOCK_PROOF', () => {
    const { masterchainId, links } = answer;
    if (!isMasterchainBlock(masterchainId)) refuse('got invalid masterchain block id');
    if (masterchainId.seqno === 0) refuse('got masterchain block id with seqno=0');
    if (!sameBlock(followLinks(masterchainId, links, options), block)) refuse('got invalid proof chain');
    return answer;
  });
}
