import type { BlockId } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import { checkBlock } from '../proofs/whole-block.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** A whole block. */
export async function getBlock(ask: Ask, block: BlockId, options: CheckOptions): Promise<CellBag> {
  const answer = await askFor(ask, { method: 'getBlock', id: block }, 'VALIDATE_BLOCK_PROOF');
  return checkBlock(answer, block, options);
}
