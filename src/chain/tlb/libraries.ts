import { CellError, type Cells, LIBRARY_REFERENCE } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { Dictionary, type DictionaryCodec, dictionaryEntries, lookUp, readDictionary } from './dictionary.ts';

// shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr;

const HASH_BITS = 256;

/**
 * The cell of a public library by its hash, or -1; `root` is `ShardStateTotals.libraries` of the masterchain. The
 * library itself may be pruned.
 */
export function lookUpLibrary(cells: Cells, root: number, hash: Buffer): number {
  const value = lookUp(cells, root, HASH_BITS, hash);
  return value === undefined ? -1 : readLibrary(cells, hash, value);
}

/** The masterchain accounts that publish a library, in ascending order. */
export function libraryPublishers(cells: Cells, root: number, hash: Buffer): Buffer[] {
  const publishers: Buffer[] = [];
  const value = lookUp(cells, root, HASH_BITS, hash);
  if (value === undefined) return publishers;
  readLibrary(cells, hash, value);
  for (const { key } of dictionaryEntries(value, HASH_BITS)) publishers.push(Buffer.from(key));
  return publishers;
}

/** Reads a LibDescr up to its publishers. A node accepts a library only under its hash. */
function readLibrary(cells: Cells, hash: Buffer, value: Slice): number {
  if (value.uint(2) !== 0) throw new CellError('unknown tag of a library');
  const library = value.ref();
  if (!cells.hash(library, 0).equals(hash)) throw new CellError('library under a wrong hash');
  return library;
}

export interface PublicLibrary {
  readonly library: number;
  /** The root of the set of accounts that publish it; `buildPublishers` builds it. */
  readonly publishers: number;
}

const PUBLISHERS: DictionaryCodec<true> = { keyBits: 256, write: () => {} };

export const LIBRARIES: DictionaryCodec<PublicLibrary> = {
  keyBits: 256,
  write: (builder, { library, publishers }, arena) =>
    // The root of the publishers is inlined.
    builder.uint(0b00, 2).ref(library).slice(new Slice(arena, publishers)),
};

/** Builds the set of accounts that publish a library, from account ids in any order. */
export function buildPublishers(arena: BuildingArena, ids: readonly Buffer[]): number {
  const sorted = [...ids].sort(Buffer.compare);
  return new Dictionary(arena, PUBLISHERS).build(sorted.map((id) => [id, true]));
}

// simple_lib$_ public:Bool root:^Cell = SimpleLib;

/** Reads the libraries of an account; `root` is `StateInit.library`. */
export function readAccountLibraries(cells: Cells, root: number) {
  return readDictionary(cells, root, 256, (hash, value) => ({
    hash,
    /** Whether the account publishes it; only effective in the masterchain. */
    isPublic: value.boolean(),
    cell: value.ref(),
  }));
}

/** How deep code is searched for libraries; those found only while it runs are fetched then. */
const MAX_SEARCH_DEPTH = 24;
const MAX_LIBRARIES = 32;
const MAX_SEARCHED_CELLS = 256;

/** Hashes of the libraries that a tree of cells refers to; only a part of a large tree is searched. */
export function librariesIn(cells: Cells, root: number): Buffer[] {
  const hashes = new Map<string, Buffer>();
  const seen = new Set<number>();
  const search = (cell: number, depth: number): void => {
    if (depth === 0 || hashes.size >= MAX_LIBRARIES || seen.size >= MAX_SEARCHED_CELLS || seen.has(cell))
      return;
    seen.add(cell);
    if (cells.isExotic(cell)) {
      addLibrary(cells, cell, hashes);
      return;
    }
    for (let i = 0; i < cells.refCount(cell); i++) search(cells.ref(cell, i), depth - 1);
  };
  search(root, MAX_SEARCH_DEPTH);
  return [...hashes.values()];
}

/** Hashes of the libraries that any cell of a bag refers to, up to a limit. */
export function allLibrariesIn(bag: Cells): Buffer[] {
  const hashes = new Map<string, Buffer>();
  for (let cell = 0; cell < bag.count && hashes.size < MAX_LIBRARIES; cell++) addLibrary(bag, cell, hashes);
  return [...hashes.values()];
}

function addLibrary(cells: Cells, cell: number, hashes: Map<string, Buffer>): void {
  if (cells.kind(cell) !== LIBRARY_REFERENCE) return;
  const start = cells.starts[cell]! + 1;
  const hash = Buffer.from(cells.bytes.subarray(start, start + 32));
  hashes.set(hash.toString('hex'), hash);
}
