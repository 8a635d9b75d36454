import type { BlockId } from '../../chain/block-id.ts';
import { checkLibrariesWithProof, type FoundLibrary } from '../proofs/libraries.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';
import { inGroups } from './library-groups.ts';

/** Those of the given public libraries that exist at a masterchain block, in ascending order of their hashes. */
export async function getLibrariesWithProof(
  ask: Ask,
  block: BlockId,
  hashes: readonly Buffer[],
  options: CheckOptions,
): Promise<FoundLibrary[]> {
  return inGroups(hashes, async (group) => {
    const request = { method: 'getLibrariesWithProof', id: block, mode: 0, libraryList: group } as const;
    const answer = await askFor(ask, request, 'VALIDATE_BLOCK_PROOF');
    return checkLibrariesWithProof(answer, { block, hashes: group }, options);
  });
}
