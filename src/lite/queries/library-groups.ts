import type { FoundLibrary } from '../proofs/libraries.ts';

/** Servers look at no more than the first 16 hashes of a request. */
const MAX_HASHES = 16;

/** Asks for libraries in groups that servers take; each hash once, all in ascending order. */
export async function inGroups(
  hashes: readonly Buffer[],
  askForGroup: (group: readonly Buffer[]) => Promise<FoundLibrary[]>,
): Promise<FoundLibrary[]> {
  const sorted = hashes.toSorted(Buffer.compare).filter((hash, i, all) => !all[i - 1]?.equals(hash));
  const found: FoundLibrary[] = [];
  for (let at = 0; at < sorted.length; at += MAX_HASHES)
    found.push(...(await askForGroup(sorted.slice(at, at + MAX_HASHES))));
  return found;
}
