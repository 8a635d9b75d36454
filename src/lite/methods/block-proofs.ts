import { type BlockId, MASTERCHAIN, sameBlock, shortBlockName } from '../../chain/block-id.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { type BlockInfo, readBlockInfo, readBlockRoot, readStateUpdate } from '../../chain/tlb/block.ts';
import { lookUpOldMcBlock, readMcStateExtra, readMcStateInfo } from '../../chain/tlb/masterchain-state.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import type { BlockLink, BlockLinkBack, BlockLinkForward, LiteResponseOf } from './codec.ts';
import {
  blockProofFailure,
  type CheckOptions,
  hasHash,
  openProof,
  type QueryServer,
  queryProvable,
  refuse,
  runProofCheck,
} from './proofs.ts';
import { checkSignatures, type Signers, type SignersCache } from './signatures.ts';

/** The first steps from `from` towards the target; all of them if `complete`. */
export type PartialBlockProof = LiteResponseOf<'getBlockProof'>;

/** Bits of the mode: a target is given (else it is the newest block), and no key block after the later block is used. */
const PROOF_TO_TARGET = 1;
export const PROOF_AT_LATER_BLOCK = 0x1000;

/** The first steps from one masterchain block towards another, without gaps; each step is still to be checked. */
export async function getBlockProof(
  query: QueryServer,
  from: BlockId,
  target: BlockId,
  mode = PROOF_TO_TARGET,
): Promise<PartialBlockProof> {
  const request = { mode, knownBlock: from, targetBlock: target };
  const proof = await queryProvable(query, 'getBlockProof', request, 'VALIDATE_BLOCK_PROOF');
  checkProofChain(proof, from, target);
  return proof;
}

/** All steps from one masterchain block, which must be trusted, to another one that is at most a key block away. */
export async function getBlockLinks(
  query: QueryServer,
  from: BlockId,
  to: BlockId,
  { verify, signersOf }: CheckOptions & { readonly signersOf: SignersCache },
): Promise<readonly BlockLink[]> {
  const { complete, steps } = await getBlockProof(query, from, to, PROOF_TO_TARGET | PROOF_AT_LATER_BLOCK);
  if (!complete) throw blockProofFailure('got invalid proof chain');
  if (verify) for (const link of steps) await checkBlockLink(link, signersOf);
  return steps;
}

/** Checks that steps start at a block, have no gaps and lead to the target. The steps themselves are not checked here. */
function checkProofChain(proof: PartialBlockProof, from: BlockId, target: BlockId): void {
  if (!sameBlock(proof.from, from))
    throw blockProofFailure(
      `block proof chain starts from block ${shortBlockName(proof.from)}, not from requested block ${shortBlockName(from)}`,
    );
  let at = from;
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

const VERIFY = { verify: true };

/**
 * Checks one step of a proof between masterchain blocks. A step forward is right when the validators in the
 * configuration of its key block signed its end; a step back, when the state after its start lists its end among the
 * previous blocks.
 */
export async function checkBlockLink(link: BlockLink, signersOf: SignersCache): Promise<void> {
  const prefix = 'VALIDATE_BLOCK_PROOF';
  if (link.kind === 'back') {
    runProofCheck(prefix, () => checkBack(link));
    return;
  }
  const signers = runProofCheck(prefix, () => signersOfForward(link, signersOf));
  await checkSignatures(link.signatures, link.to, signers);
}

function checkBack(link: BlockLinkBack): void {
  const { from, to } = link;
  checkEnds(link, to.seqno < from.seqno);
  if (to.seqno > 0) checkDestination(link);
  const { block } = openHeader(link.proof, from);
  const { newHash } = readStateUpdate(block.cells, readBlockRoot(block.cells, block.cell).stateUpdate);
  const state = openProof(link.stateProof, VERIFY);
  if (!hasHash(state, newHash))
    refuse(`BlockProofLink contains a state proof for ${shortBlockName(from)} with incorrect root hash`);
  const { cells } = state;
  const extra = readMcStateExtra(cells, readShardState(cells, state.cell).custom);
  const listed = lookUpOldMcBlock(cells, readMcStateInfo(cells, extra.info).prevBlocks.root, to.seqno);
  if (listed === undefined || !listed.rootHash.equals(to.rootHash) || !listed.fileHash.equals(to.fileHash))
    refuse(
      `cannot check that ${shortBlockName(to)} is indeed a previous masterchain block of ${shortBlockName(from)}`,
    );
}

/** The validators that must have signed the end of a step forward. */
function signersOfForward(link: BlockLinkForward, signersOf: SignersCache): Signers {
  const { from, to } = link;
  checkEnds(link, from.seqno < to.seqno);
  const info = checkDestination(link);
  // Without this, former validators could sign a fork of their own.
  if (info.prevKeyBlockSeqno !== from.seqno)
    refuse(
      `a forward BlockProofLink to ${shortBlockName(to)} that does not start from the key block before it`,
    );
  const signers = signersOf(from, link.configProof, info.genCatchainSeqno);
  if (signers.setHash !== info.genValidatorListHashShort)
    refuse(
      `computed validator set for block ${shortBlockName(to)} has hash ${signers.setHash} different from ${info.genValidatorListHashShort} stated in block header`,
    );
  return signers;
}

function checkEnds({ from, to }: BlockLink, rightDirection: boolean): void {
  if (from.workchain !== MASTERCHAIN || to.workchain !== MASTERCHAIN)
    refuse('BlockProofLink must have both source and destination blocks in the masterchain');
  if (!rightDirection)
    refuse(
      `BlockProofLink from ${shortBlockName(from)} to ${shortBlockName(to)} goes in the wrong direction`,
    );
}

function checkDestination(link: BlockLink): BlockInfo {
  const { info } = openHeader(link.destProof, link.to);
  if (info.keyBlock !== link.toKeyBlock)
    refuse(
      `incorrect is_key_block value ${link.toKeyBlock} for destination block ${shortBlockName(link.to)}`,
    );
  return info;
}

/** Opens the proof of a header and checks that it belongs to the block. */
function openHeader(proof: Buffer, id: BlockId): { block: CellRef; info: BlockInfo } {
  const block = openProof(proof, VERIFY);
  if (!hasHash(block, id.rootHash))
    refuse(`block header for block ${shortBlockName(id)} has incorrect root hash`);
  const info = readBlockInfo(block.cells, readBlockRoot(block.cells, block.cell).info);
  if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno)
    refuse(`block header is that of ${shortBlockName(info)} instead of ${shortBlockName(id)}`);
  return { block, info };
}
