import { checkLibraries, type FoundLibrary } from '../proofs/libraries.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';
import { inGroups } from './library-groups.ts';

/** Public libraries at the server's head by their hashes; one that is missing may still exist. */
export async function getLibraries(
  ask: Ask,
  hashes: readonly Buffer[],
  options: CheckOptions,
): Promise<FoundLibrary[]> {
  return inGroups(hashes, async (group) => {
    const request = { method: 'getLibraries', libraryList: group } as const;
    const answer = await askFor(ask, request, 'VALIDATE_BLOCK_PROOF');
    return checkLibraries(answer, group, options);
  });
}
