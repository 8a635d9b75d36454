import type { BlockId } from '../../chain/block-id.ts';
import type { BlockLink, PartialBlockProof } from '../../chain/tl/block-proofs.ts';
import { checkBlockLink } from '../proofs/block-link.ts';
import { blockProofFailure } from '../proofs/block-proof-failure.ts';
import { checkProofChain } from '../proofs/proof-chain.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { SignersCache } from '../proofs/signers-cache.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

const TO_TARGET = 1;
/** The server goes by what was known at the later of the two blocks; key blocks after it play no part then. */
const AT_LATER_BLOCK = 0x1000;

/** The first steps from one masterchain block towards another, in one piece; each step is still to be checked. */
export async function getBlockProof(
  ask: Ask,
  known: BlockId,
  target: BlockId,
  mode = TO_TARGET,
): Promise<PartialBlockProof> {
  const request = { method: 'getBlockProof', mode, knownBlock: known, targetBlock: target } as const;
  const proof = await askFor(ask, request, 'VALIDATE_BLOCK_PROOF');
  checkProofChain(proof, known, target);
  return proof;
}

/** All steps from one masterchain block, which must be trusted, to another one that is at most a key block away. */
export async function getBlockLinks(
  ask: Ask,
  from: BlockId,
  to: BlockId,
  { verify, signersOf }: CheckOptions & { readonly signersOf: SignersCache },
): Promise<readonly BlockLink[]> {
  const { complete, steps } = await getBlockProof(ask, from, to, TO_TARGET | AT_LATER_BLOCK);
  if (!complete) throw blockProofFailure('got invalid proof chain');
  if (verify) for (const link of steps) await checkBlockLink(link, signersOf);
  return steps;
}
