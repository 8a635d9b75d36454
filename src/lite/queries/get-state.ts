import type { BlockId } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import { checkWholeState, checkZeroState } from '../proofs/whole-block.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** The state that a chain starts from. */
export async function getZeroState(ask: Ask, block: BlockId, options: CheckOptions): Promise<CellBag> {
  const answer = await askFor(ask, { method: 'getState', id: block }, 'VALIDATE_ZERO_STATE: ');
  return checkZeroState(answer, block, options);
}

/** The whole state after a block, whose hash the block tells. Servers give it for the first thousand blocks only. */
export async function getState(
  ask: Ask,
  block: BlockId,
  stateHash: Buffer,
  options: CheckOptions,
): Promise<CellBag> {
  const answer = await askFor(ask, { method: 'getState', id: block }, 'VALIDATE_BLOCK_PROOF');
  return checkWholeState(answer, block, stateHash, options);
}
