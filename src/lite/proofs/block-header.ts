import { type BlockId, MASTERCHAIN, sameBlock, shortBlockName } from '../../chain/block-id.ts';
import type { BlockHeader } from '../../chain/tl/blocks.ts';
import { type BlockRoot, readBlockRoot } from '../../chain/tlb/block.ts';
import { type BlockInfo, readBlockInfo } from '../../chain/tlb/block-info.ts';
import { previousBlocks } from '../../chain/tlb/block-previous.ts';
import { type FoundCell, hashOf, openProof } from './open-proof.ts';
import { blockText, type CheckOptions, hashText, proving, refuse } from './proof-scope.ts';

/** What a block says about itself, and where its other parts are. */
export interface ProvenHeader extends FoundCell {
  readonly block: BlockId;
  readonly root: BlockRoot;
  readonly info: BlockInfo;
  /** The blocks before it: two after a merge. */
  readonly previous: readonly BlockId[];
}

/** Checks the answer of getBlockHeader about a block that is known by all its hashes. */
export function checkBlockHeader(answer: BlockHeader, block: BlockId, options: CheckOptions): ProvenHeader {
  return proving('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    return checkHeader(openProof(answer.headerProof, options), block, options);
  });
}

/** Checks that a cell is the root of a block. */
export function checkRootHash(found: FoundCell, block: BlockId, { verify }: CheckOptions): void {
  if (verify && !hashOf(found).equals(block.rootHash))
    refuse(
      ` block header for block ${blockText(block)} has incorrect root hash ${hashText(hashOf(found))} instead of ${hashText(block.rootHash)}`,
    );
}

/** Reads a block's header and checks that it is the header of that block. */
export function checkHeader(found: FoundCell, block: BlockId, options: CheckOptions): ProvenHeader {
  checkRootHash(found, block, options);
  const { cells, cell } = found;
  const root = readBlockRoot(cells, cell);
  const info = readBlockInfo(cells, root.info);
  if (info.version !== 0) refuse('cannot unpack block header');
  if (info.workchain !== block.workchain || info.shard !== block.shard || info.seqno !== block.seqno)
    refuse(`block header contains block id ${shortBlockName(info)}, expected ${shortBlockName(block)}`);
  if (info.notMaster !== (info.workchain !== MASTERCHAIN))
    refuse('block has invalid not_master flag in its (Merkelized) header');
  if (info.afterMerge && info.afterSplit)
    refuse('shardchains cannot be simultaneously split and merged at the same block');
  const previous = previousBlocks(info);
  if (info.seqno !== 1 + Math.max(...previous.map(({ seqno }) => seqno)))
    refuse('new block has invalid seqno (not equal to one plus maximum of seqnos of its ancestors)');
  return { cells, cell, block, root, info, previous };
}
