import type { Cells } from '../../../src/chain/boc/cells.ts';
import { type OnPruned, walkDictionary } from '../../../src/chain/tlb/dictionary.ts';
import { lookUpLibrary } from '../../../src/chain/tlb/libraries.ts';

/** Visits all public libraries in ascending order of their hashes; `hash` is reused for the next one. */
export function walkLibraries(
  cells: Cells,
  root: number,
  visit: (hash: Buffer, library: number) => void,
  onPruned: OnPruned = 'throw',
): void {
  if (root < 0) return;
  walkDictionary(cells, root, 256, (hash) => visit(hash, lookUpLibrary(cells, root, hash)), onPruned);
}
