import { beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import {
  allLibrariesIn,
  librariesIn,
  libraryPublishers,
  lookUpLibrary,
  readAccountLibraries,
} from '../../../src/chain/tlb/libraries.ts';
import { libraryReference } from '../../../src/localnet/contracts/contract.ts';
import { hash, raw } from '../support/built-cells.ts';
import { walkLibraries } from '../support/libraries.ts';
import { makePart } from '../support/proofs.ts';

const library = (value: number): Cell =>
  beginCell().storeUint(value, 32).storeRef(beginCell().storeUint(value, 8)).endCell();

/** A dictionary of libraries with their publishers. */
function libraries(entries: readonly (readonly [key: Buffer, lib: Cell, publishers: Buffer[]])[], tag = 0) {
  const list = Dictionary.empty(Dictionary.Keys.Buffer(32), raw);
  for (const [key, lib, publishers] of entries) {
    const ids = Dictionary.empty(Dictionary.Keys.Buffer(32), raw);
    for (const id of publishers) ids.set(id, beginCell());
    list.set(key, beginCell().storeUint(tag, 2).storeRef(lib).storeDictDirect(ids));
  }
  return fromCoreCell(beginCell().storeDictDirect(list).endCell());
}

const entries = [1, 2, 3, 4, 5].map((value) => {
  const lib = library(value);
  // Alone, and several that share the start of their ids or do not.
  const publishers = [hash(value), Buffer.from([...hash(value).subarray(1), 9]), hash(200)].slice(0, value);
  return [lib.hash(), lib, publishers] as const;
});
const bag = libraries(entries);

describe('public libraries', () => {
  it('are found by their hash', () => {
    for (const [key, lib] of entries) expect(bag.hash(lookUpLibrary(bag, bag.root, key))).toEqual(lib.hash());
    expect(lookUpLibrary(bag, bag.root, hash(1))).toBe(-1);
    expect(lookUpLibrary(bag, -1, hash(1))).toBe(-1);
  });

  it('have publishers', () => {
    for (const [key, , publishers] of entries) {
      const wanted = [...publishers].sort(Buffer.compare);
      expect(libraryPublishers(bag, bag.root, key)).toEqual(wanted);
    }
    expect(libraryPublishers(bag, bag.root, hash(1))).toEqual([]);
    expect(libraryPublishers(bag, -1, hash(1))).toEqual([]);
  });

  it('are listed in order', () => {
    const seen: Buffer[] = [];
    walkLibraries(bag, bag.root, (key, cell) => {
      seen.push(Buffer.from(key));
      expect(bag.hash(cell)).toEqual(key);
    });
    expect(seen).toEqual(entries.map(([key]) => key).sort(Buffer.compare));
    walkLibraries(bag, -1, () => expect.unreachable());
  });

  it('may be pruned', () => {
    const [key, lib] = entries[0]!;
    const keep = (cell: number) => bag.depth(cell) > 1;
    const part = makePart({ cells: bag, root: bag.root, shows: keep });
    const found = lookUpLibrary(part.bag, part.root, key);
    expect(part.bag.isPruned(found)).toBe(true);
    expect(part.bag.hash(found, 0)).toEqual(lib.hash());
    const none = makePart({ cells: bag, root: bag.root, shows: () => false });
    expect(() => lookUpLibrary(none.bag, none.root, key)).toThrow(PrunedCellError);
    walkLibraries(none.bag, none.root, () => expect.unreachable(), 'skip');
  });

  it('are rejected under a wrong hash or with an unknown tag', () => {
    const wrong = libraries([[hash(1), library(1), [hash(1)]]]);
    expect(() => lookUpLibrary(wrong, wrong.root, hash(1))).toThrow(CellError);
    const [key, lib, publishers] = entries[0]!;
    const unknown = libraries([[key, lib, publishers]], 1);
    expect(() => lookUpLibrary(unknown, unknown.root, key)).toThrow(CellError);
  });
});

describe('libraries of an account', () => {
  it('are listed with their visibility', () => {
    const list = Dictionary.empty(Dictionary.Keys.Buffer(32), raw);
    list.set(library(1).hash(), beginCell().storeBit(1).storeRef(library(1)));
    list.set(library(2).hash(), beginCell().storeBit(0).storeRef(library(2)));
    const own = fromCoreCell(beginCell().storeDictDirect(list).endCell());
    const read = readAccountLibraries(own, own.root);
    expect(read.map(({ cell }) => own.hash(cell))).toEqual(read.map((lib) => lib.hash));
    expect(read.find((lib) => lib.hash.equals(library(1).hash()))!.isPublic).toBe(true);
    expect(read.find((lib) => lib.hash.equals(library(2).hash()))!.isPublic).toBe(false);
    expect(readAccountLibraries(own, -1)).toEqual([]);
  });
});

const numbered = (n: number): Cell => beginCell().storeUint(n, 32).endCell();
const numberedLibrary = (n: number): Cell => libraryReference(numbered(n));

function hashesIn(cell: Cell): string[] {
  const bag = fromCoreCell(cell);
  return librariesIn(bag, bag.root).map((hash) => hash.toString('hex'));
}

describe('librariesIn', () => {
  it('finds library references at the root and below, each once', () => {
    const hash = (n: number): string => numbered(n).hash().toString('hex');
    expect(hashesIn(numberedLibrary(1))).toEqual([hash(1)]);
    const left = beginCell().storeRef(numberedLibrary(2)).storeRef(numberedLibrary(1)).endCell();
    const code = beginCell().storeRef(numberedLibrary(1)).storeRef(left).endCell();
    expect(hashesIn(code)).toEqual([hash(1), hash(2)]);
    expect(hashesIn(numbered(1))).toEqual([]);
  });

  it('searches at most 24 levels', () => {
    const below = (depth: number): Cell =>
      depth === 0
        ? numberedLibrary(1)
        : beginCell()
            .storeRef(below(depth - 1))
            .endCell();
    expect(hashesIn(below(23))).toHaveLength(1);
    expect(hashesIn(below(24))).toHaveLength(0);
  });

  it('returns at most 32 libraries from at most 256 cells', () => {
    const tree = (depth: number, at: number, leaf: (n: number) => Cell): Cell => {
      if (depth === 0) return leaf(at);
      const node = beginCell().storeUint(at, 32);
      for (let i = 0; i < 4; i++) node.storeRef(tree(depth - 1, at * 4 + i, leaf));
      return node.endCell();
    };
    expect(hashesIn(tree(3, 0, numberedLibrary))).toHaveLength(32);
    // 341 ordinary cells come first.
    const wide = beginCell()
      .storeRef(tree(4, 0, numbered))
      .storeRef(numberedLibrary(1))
      .endCell();
    expect(hashesIn(wide)).toHaveLength(0);
  });

  it('has a variant allLibrariesIn that searches the whole bag, for at most 32', () => {
    const chain = (length: number): Cell => {
      let cell = beginCell().endCell();
      for (let n = 1; n <= length; n++)
        cell = beginCell().storeRef(cell).storeRef(numberedLibrary(n)).endCell();
      return cell;
    };
    expect(allLibrariesIn(fromCoreCell(chain(30)))).toHaveLength(30);
    expect(allLibrariesIn(fromCoreCell(chain(40)))).toHaveLength(32);
  });
});
