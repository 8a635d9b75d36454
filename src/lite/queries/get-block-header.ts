import type { BlockId } from '../../chain/block-id.ts';
import { checkBlockHeader, type ProvenHeader } from '../proofs/block-header.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** The header of a block. Bits of the mode ask for more: 1 the state update, 2 the value flow, 16 the extra. */
export async function getBlockHeader(
  ask: Ask,
  block: BlockId,
  options: CheckOptions,
  mode = 0,
): Promise<ProvenHeader> {
  const answer = await askFor(ask, { method: 'getBlockHeader', id: block, mode }, 'VALIDATE_BLOCK_PROOF');
  return checkBlockHeader(answer, block, options);
}
