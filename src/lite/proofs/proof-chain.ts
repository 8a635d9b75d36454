import { type BlockId, sameBlock, shortBlockName } from '../../chain/block-id.ts';
import type { PartialBlockProof } from '../../chain/tl/block-proofs.ts';
import { blockProofFailure } from './block-proof-failure.ts';

/**
 * Checks that the steps of a proof start where asked, have no gap and lead on; whether each step is right is another
 * matter.
 */
export function checkProofChain(proof: PartialBlockProof, known: BlockId, target: BlockId): void {
  if (!sameBlock(proof.from, known))
    throw blockProofFailure(
      `block proof chain starts from block ${shortBlockName(proof.from)}, not from requested block ${shortBlockName(known)}`,
    );
  let at = known;
  for (const [index, link] of proof.steps.entries()) {
    if (!sameBlock(link.from, at))
      throw blockProofFailure(
        `link #${index + 1} in a BlockProofChain does not begin where the one before ends`,
      );
    at = link.to;
  }
  if (!sameBlock(at, proof.to)) throw blockProofFailure('last link of BlockProofChain ends at another block');
  if (proof.complete && !sameBlock(at, target))
    throw blockProofFailure('complete block proof chain ends at another block than the requested one');
  if (proof.steps.length === 0) throw blockProofFailure('empty proof chain');
}
