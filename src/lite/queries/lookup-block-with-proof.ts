import type { BlockId } from '../../chain/block-id.ts';
import type { ProvenHeader } from '../proofs/block-header.ts';
import { checkLookup } from '../proofs/lookups.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';
import { type BlockKey, lookupKey } from './block-key.ts';

/** Finds a block by its place or by a time in it, in the chain whose head is `reference`, a masterchain block. */
export async function lookupBlockWithProof(
  ask: Ask,
  reference: BlockId,
  key: BlockKey,
  options: CheckOptions,
): Promise<ProvenHeader> {
  const wanted = lookupKey(key);
  const request = { method: 'lookupBlockWithProof', ...wanted, mcBlockId: reference } as const;
  const answer = await askFor(ask, request, 'VALIDATE_BLOCK_PROOF');
  return checkLookup(answer, wanted, reference, options);
}
