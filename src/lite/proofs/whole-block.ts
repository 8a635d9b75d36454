import { createHash } from 'node:crypto';
import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import type { BlockData, BlockState } from '../../chain/tl/blocks.ts';
import { readWholeBag } from './open-proof.ts';
import { blockText, type CheckOptions, proving, refuse } from './proof-scope.ts';

/** Checks the answer of getBlock: the bytes and the cells are those of the block. */
export function checkBlock(answer: BlockData, block: BlockId, { verify }: CheckOptions): CellBag {
  return proving('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    if (verify && !sha256(answer.data).equals(block.fileHash))
      refuse(`data of block ${blockText(block)} has incorrect file hash`);
    const bag = readWholeBag(answer.data);
    if (verify && !bag.hash(bag.root).equals(block.rootHash))
      refuse(`data of block ${blockText(block)} has incorrect root hash`);
    return bag;
  });
}

/** Checks the answer of getState about a zero state, whose name is made of its own hashes. */
export function checkZeroState(answer: BlockState, block: BlockId, options: CheckOptions): CellBag {
  return proving('VALIDATE_ZERO_STATE: ', () => {
    if (
      block.seqno !== 0 ||
      !answer.rootHash.equals(block.rootHash) ||
      !answer.fileHash.equals(block.fileHash)
    )
      refuse('Masterchain zerostate mismatch');
    return readState(answer, block, block.rootHash, options);
  });
}

/** Checks the answer of getState about the state after a block; its hash is known from the block. */
export function checkWholeState(
  answer: BlockState,
  block: BlockId,
  stateHash: Buffer,
  options: CheckOptions,
): CellBag {
  return proving('VALIDATE_BLOCK_PROOF', () => readState(answer, block, stateHash, options));
}

function readState(answer: BlockState, block: BlockId, stateHash: Buffer, { verify }: CheckOptions): CellBag {
  if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
  if (verify && !sha256(answer.data).equals(answer.fileHash)) refuse('state has incorrect file hash');
  const bag = readWholeBag(answer.data);
  if (verify && !(answer.rootHash.equals(stateHash) && bag.hash(bag.root).equals(stateHash)))
    refuse('state has incorrect root hash');
  return bag;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
