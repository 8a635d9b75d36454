import { type BlockId, MASTERCHAIN, shortBlockName } from '../../chain/block-id.ts';
import type { BlockLink, BlockLinkBack, BlockLinkForward } from '../../chain/tl/block-proofs.ts';
import { readBlockRoot } from '../../chain/tlb/block.ts';
import { type BlockInfo, readBlockInfo } from '../../chain/tlb/block-info.ts';
import { readStateUpdate } from '../../chain/tlb/block-state-update.ts';
import { readMcStateExtra, readMcStateInfo } from '../../chain/tlb/mc-state-extra.ts';
import { lookUpOldMcBlock } from '../../chain/tlb/old-mc-blocks.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { type FoundCell, hasHash, openProof } from './open-proof.ts';
import { proving, refuse } from './proof-scope.ts';
import { checkSignatures, type Signers } from './signatures.ts';
import type { SignersCache } from './signers-cache.ts';

const VERIFY = { verify: true };

/**
 * Checks one step of a proof from masterchain block to masterchain block. A step forward is good when the validators
 * that the configuration of its key block names signed its end; a step back, when the state after its start lists its
 * end among the blocks before.
 */
export async function checkBlockLink(link: BlockLink, signersOf: SignersCache): Promise<void> {
  const prefix = 'VALIDATE_BLOCK_PROOF';
  if (link.kind === 'back') {
    proving(prefix, () => checkBack(link));
    return;
  }
  const signers = proving(prefix, () => signersOfForward(link, signersOf));
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

/** Who must have signed the end of a step forward. */
function signersOfForward(link: BlockLinkForward, signersOf: SignersCache): Signers {
  const { from, to } = link;
  checkEnds(link, from.seqno < to.seqno);
  const info = checkDestination(link);
  // Without this, validators of long ago could sign a chain of their own beside the real one.
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

/** Opens the proof of a block's header and checks that it is that block's. */
function openHeader(proof: Buffer, id: BlockId): { block: FoundCell; info: BlockInfo } {
  const block = openProof(proof, VERIFY);
  if (!hasHash(block, id.rootHash))
    refuse(`block header for block ${shortBlockName(id)} has incorrect root hash`);
  const info = readBlockInfo(block.cells, readBlockRoot(block.cells, block.cell).info);
  if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno)
    refuse(`block header is that of ${shortBlockName(info)} instead of ${shortBlockName(id)}`);
  return { block, info };
}
