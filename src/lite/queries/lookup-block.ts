import type { ProvenHeader } from '../proofs/block-header.ts';
import { checkLookedUp } from '../proofs/lookups.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';
import { type BlockKey, lookupKey } from './block-key.ts';

/**
 * Finds a block by its place or by a time in it. That the block belongs to the chain is not proven; use
 * lookupBlockWithProof for that.
 */
export async function lookupBlock(ask: Ask, key: BlockKey, options: CheckOptions): Promise<ProvenHeader> {
  const wanted = lookupKey(key);
  const answer = await askFor(ask, { method: 'lookupBlock', ...wanted }, 'VALIDATE_BLOCK_PROOF');
  return checkLookedUp(answer, wanted, options);
}
