import { beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { allLibrariesIn, librariesIn } from '../../../src/chain/boc/libraries-in.ts';
import { libraryReference } from '../../../src/localnet/contracts/contract-state.ts';

const numbered = (n: number): Cell => beginCell().storeUint(n, 32).endCell();
const library = (n: number): Cell => libraryReference(numbered(n));

function hashesIn(cell: Cell): string[] {
  const bag = fromCoreCell(cell);
  return librariesIn(bag, bag.root).map((hash) => hash.toString('hex'));
}

describe('the libraries that code names', () => {
  it('are found at the root and below, each once', () => {
    const hash = (n: number): string => numbered(n).hash().toString('hex');
    expect(hashesIn(library(1))).toEqual([hash(1)]);
    const left = beginCell().storeRef(library(2)).storeRef(library(1)).endCell();
    const code = beginCell().storeRef(library(1)).storeRef(left).endCell();
    expect(hashesIn(code)).toEqual([hash(1), hash(2)]);
    expect(hashesIn(numbered(1))).toEqual([]);
  });

  it('are looked for no deeper than 24 cells', () => {
    const below = (depth: number): Cell =>
      depth === 0
        ? library(1)
        : beginCell()
            .storeRef(below(depth - 1))
            .endCell();
    expect(hashesIn(below(23))).toHaveLength(1);
    expect(hashesIn(below(24))).toHaveLength(0);
  });

  it('are at most 32, in at most 256 cells', () => {
    const tree = (depth: number, at: number, leaf: (n: number) => Cell): Cell => {
      if (depth === 0) return leaf(at);
      const node = beginCell().storeUint(at, 32);
      for (let i = 0; i < 4; i++) node.storeRef(tree(depth - 1, at * 4 + i, leaf));
      return node.endCell();
    };
    expect(hashesIn(tree(3, 0, library))).toHaveLength(32);
    // 341 ordinary cells come first.
    const wide = beginCell()
      .storeRef(tree(4, 0, numbered))
      .storeRef(library(1))
      .endCell();
    expect(hashesIn(wide)).toHaveLength(0);
  });

  it('are all found in a bag where that is asked for, but no more than 32', () => {
    const chain = (length: number): Cell => {
      let cell = beginCell().endCell();
      for (let n = 1; n <= length; n++) cell = beginCell().storeRef(cell).storeRef(library(n)).endCell();
      return cell;
    };
    expect(allLibrariesIn(fromCoreCell(chain(30)))).toHaveLength(30);
    expect(allLibrariesIn(fromCoreCell(chain(40)))).toHaveLength(32);
  });
});
