import Type from 'typebox';
import type { BlockLinkBack } from '../../chain/tl/block-proofs.ts';
import type { ProvenShardBlock } from '../reads/shard-block-proof.ts';
import { Base64 } from './base64.ts';
import { BlockIdExt, blockIdExt } from './block-id.ts';

/** `blocks.shardBlockProof`. */
export const ShardBlockProof = Type.Object({
  '@type': Type.Literal('blocks.shardBlockProof'),
  from: BlockIdExt,
  mc_id: BlockIdExt,
  links: Type.Array(
    Type.Object({ '@type': Type.Literal('blocks.shardBlockLink'), id: BlockIdExt, proof: Base64() }),
  ),
  mc_proof: Type.Array(
    Type.Object({
      '@type': Type.Literal('blocks.blockLinkBack'),
      to_key_block: Type.Boolean(),
      from: BlockIdExt,
      to: BlockIdExt,
      dest_proof: Base64(),
      proof: Base64(),
      state_proof: Base64(),
    }),
  ),
});

/** Writes `blocks.shardBlockProof`. */
export function shardBlockProof({ from, masterchain, links, back }: ProvenShardBlock) {
  return {
    '@type': 'blocks.shardBlockProof' as const,
    from: blockIdExt(from),
    mc_id: blockIdExt(masterchain),
    // These are the server's own bytes, by contract.
    links: links.map(({ id, proof }) => ({
      '@type': 'blocks.shardBlockLink' as const,
      id: blockIdExt(id),
      proof: proof.toString('base64'),
    })),
    mc_proof: back.map(linkBack),
  };
}

function linkBack({ toKeyBlock, from, to, destProof, proof, stateProof }: BlockLinkBack) {
  return {
    '@type': 'blocks.blockLinkBack' as const,
    to_key_block: toKeyBlock,
    from: blockIdExt(from),
    to: blockIdExt(to),
    dest_proof: destProof.toString('base64'),
    proof: proof.toString('base64'),
    state_proof: stateProof.toString('base64'),
  };
}
