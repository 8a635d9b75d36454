import Type from 'typebox';
import type { BlockId } from '../../chain/block-id.ts';
import type { SignatureSet } from '../../chain/tl/signature-sets.ts';
import { Base64 } from './base64.ts';
import { BlockIdExt, blockIdExt, Hash256 } from './block-id.ts';

const members = {
  id: BlockIdExt,
  signatures: Type.Array(
    Type.Object({
      '@type': Type.Literal('blocks.signature'),
      node_id_short: Hash256(),
      signature: Base64(),
    }),
  ),
};

/** `blocks.blockSignatures`, or `blocks.blockSignatures.simplex` where the consensus of the network is the newer one. */
export const BlockSignatures = Type.Union([
  Type.Object({ '@type': Type.Literal('blocks.blockSignatures'), ...members }),
  Type.Object({
    '@type': Type.Literal('blocks.blockSignatures.simplex'),
    ...members,
    session_id: Hash256(),
    slot: Type.Integer(),
    candidate: Base64(),
  }),
]);

/** Writes the signatures of a block. */
export function blockSignatures(block: BlockId, set: SignatureSet) {
  const shared = {
    id: blockIdExt(block),
    signatures: set.signatures.map(({ nodeIdShort, signature }) => ({
      '@type': 'blocks.signature' as const,
      node_id_short: nodeIdShort.toString('base64'),
      signature: signature.toString('base64'),
    })),
  };
  if (set.kind === 'ordinary') return { '@type': 'blocks.blockSignatures' as const, ...shared };
  return {
    '@type': 'blocks.blockSignatures.simplex' as const,
    ...shared,
    session_id: set.sessionId.toString('base64'),
    slot: set.slot | 0,
    candidate: set.candidate.toString('base64'),
  };
}
