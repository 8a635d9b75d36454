import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { lookUp, type OnPruned, walkDictionary } from './dictionary.ts';
import { dictionaryEntries } from './dictionary-entries.ts';

const HASH_BITS = 256;

/**
 * The cell of a public library by its hash, or -1; `root` is `ShardStateTotals.libraries` of the masterchain. The
 * library itself may be left out by a proof.
 */
export function lookUpLibrary(cells: Cells, root: number, hash: Buffer): number {
  const value = root < 0 ? undefined : lookUp(cells, root, HASH_BITS, hash);
  return value === undefined ? -1 : readLibrary(cells, hash, value);
}

/** The masterchain accounts that publish a library, in ascending order. */
export function libraryPublishers(cells: Cells, root: number, hash: Buffer): Buffer[] {
  const publishers: Buffer[] = [];
  const value = root < 0 ? undefined : lookUp(cells, root, HASH_BITS, hash);
  if (value === undefined) return publishers;
  readLibrary(cells, hash, value);
  for (const { key } of dictionaryEntries(value, HASH_BITS)) publishers.push(Buffer.from(key));
  return publishers;
}

/** Visits all public libraries in ascending order of their hashes; `hash` is used again for the next one. */
export function walkLibraries(
  cells: Cells,
  root: number,
  visit: (hash: Buffer, library: number) => void,
  onPruned: OnPruned = 'throw',
): void {
  if (root < 0) return;
  const visitEntry = (hash: Buffer, value: Slice) => visit(hash, readLibrary(cells, hash, value));
  walkDictionary(cells, root, HASH_BITS, visitEntry, onPruned);
}

/** Reads a LibDescr up to its publishers. A node takes a library only if its hash is its key. */
function readLibrary(cells: Cells, hash: Buffer, value: Slice): number {
  if (value.uint(2) !== 0) throw new CellFault('a library of an unknown form');
  const library = value.ref();
  if (!cells.hash(library, 0).equals(hash)) throw new CellFault('a library under a wrong hash');
  return library;
}
