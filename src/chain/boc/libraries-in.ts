import { LIBRARY_REFERENCE } from './cell-kind.ts';
import type { Cells } from './cells.ts';

/** How far cells are looked through; a library that is found no sooner than in a run is asked for then. */
const MAX_SEARCH_DEPTH = 24;
const MAX_LIBRARIES = 32;
const MAX_SEARCHED_CELLS = 256;

/** Hashes of the libraries that a tree of cells names, looking at no more than a part of a large one. */
export function librariesIn(cells: Cells, root: number): Buffer[] {
  const found = new Map<string, Buffer>();
  const seen = new Set<number>();
  const search = (cell: number, depth: number): void => {
    if (depth === 0 || found.size >= MAX_LIBRARIES || seen.size >= MAX_SEARCHED_CELLS || seen.has(cell))
      return;
    seen.add(cell);
    if (cells.isExotic(cell)) {
      addLibrary(cells, cell, found);
      return;
    }
    for (let i = 0; i < cells.refCount(cell); i++) search(cells.ref(cell, i), depth - 1);
  };
  search(root, MAX_SEARCH_DEPTH);
  return [...found.values()];
}

/** Hashes of all libraries that any cell of a bag names, up to a number. */
export function allLibrariesIn(bag: Cells): Buffer[] {
  const found = new Map<string, Buffer>();
  for (let cell = 0; cell < bag.count && found.size < MAX_LIBRARIES; cell++) addLibrary(bag, cell, found);
  return [...found.values()];
}

function addLibrary(cells: Cells, cell: number, found: Map<string, Buffer>): void {
  if (cells.kind(cell) !== LIBRARY_REFERENCE) return;
  const start = cells.starts[cell]! + 1;
  const hash = Buffer.from(cells.bytes.subarray(start, start + 32));
  found.set(hash.toString('hex'), hash);
}
