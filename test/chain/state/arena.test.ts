import { beginCell, type Cell } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellError, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell, toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { CellArena } from '../../../src/chain/state/arena.ts';
import { arbitraryState } from '../support/arbitrary-cells.ts';
import { compareWithCore, treeDifference } from '../support/cell-comparison.ts';
import { makePart } from '../support/proofs.ts';

const leaf = (value: number): Cell => beginCell().storeUint(value, 32).endCell();
const node = (...refs: Cell[]): Cell =>
  refs.reduce((builder, ref) => builder.storeRef(ref), beginCell()).endCell();

/** A part of a tree that shows its first levels only. */
function top(cell: Cell, levels: number) {
  const cells = fromCoreCell(cell);
  const depth = cells.depth(cells.root);
  return makePart({ cells, root: cells.root, shows: (kept) => cells.depth(kept) > depth - levels });
}

describe('CellArena', () => {
  it('holds imported cells, each once', () => {
    const shared = node(leaf(1), leaf(2));
    const first = fromCoreCell(node(shared, leaf(3)));
    const second = fromCoreCell(node(node(shared), shared));
    const arena = new CellArena();
    const a = arena.add(first, first.root);
    const before = arena.count;
    expect(arena.add(first, first.root)).toBe(a);
    expect(arena.count).toBe(before);
    const b = arena.add(second, second.root);
    expect(arena.count).toBe(before + 2);
    expect(compareWithCore(arena, b, node(node(shared), shared)).difference).toBe('');
    expect(arena.find(shared.hash())).toBe(arena.ref(a, 0));
    expect(arena.find(leaf(9).hash())).toBe(-1);
    expect(arena.missing(b, 10)).toEqual([]);
    expect(arena.isComplete(b)).toBe(true);
  });

  it('keeps pruned branches in Merkle cells of contracts unchanged', () => {
    fc.assert(
      fc.property(arbitraryState, (state) => {
        const bag = fromCoreCell(state);
        const arena = new CellArena(1);
        const root = arena.add(bag, bag.root);
        expect(treeDifference(arena, root, bag, bag.root)).toBe('');
        expect(arena.isComplete(root)).toBe(true);
        const [kept] = arena.compact([root]);
        expect(treeDifference(arena, kept!, bag, bag.root)).toBe('');
      }),
    );
  });

  it('completes partially known trees from any part', () => {
    fc.assert(
      fc.property(arbitraryState, fc.infiniteStream(fc.boolean()), (state, chance) => {
        const cells = fromCoreCell(state);
        const kept = Uint8Array.from({ length: cells.count }, () => (chance.next().value ? 1 : 0));
        const part = makePart({ cells, root: cells.root, shows: (cell) => kept[cell] === 1 });
        let arena = new CellArena(1);
        const root = arena.add(part.bag, part.root);
        expect(arena.hash(root)).toEqual(cells.hash(cells.root));
        expect(arena.depth(root)).toBe(cells.depth(cells.root));
        const missing = arena.missing(root, 1000);
        for (const hash of missing) expect(arena.isPlaceholder(arena.find(hash))).toBe(true);
        expect(new Set(missing.map((hash) => hash.toString('hex'))).size).toBe(missing.length);
        const [same] = arena.compact([root]);
        expect(arena.missing(same!, 1000)).toEqual(missing);

        expect(arena.add(cells, cells.root)).toBe(same);
        expect(arena.missing(same!, 1)).toEqual([]);
        expect(treeDifference(arena, same!, cells, cells.root)).toBe('');

        // The other way round the part brings nothing new.
        arena = new CellArena();
        const whole = arena.add(cells, cells.root);
        const { count } = arena;
        expect(arena.add(part.bag, part.root)).toBe(whole);
        expect(arena.count).toBe(count);
      }),
    );
  });

  it('throws when a placeholder is read or written', () => {
    const state = node(node(node(leaf(1))), leaf(2));
    const part = top(state, 2);
    const arena = new CellArena();
    const root = arena.add(part.bag, part.root);
    const placeholder = arena.ref(arena.ref(root, 0), 0);
    expect(arena.isPlaceholder(placeholder)).toBe(true);
    expect(arena.hash(placeholder)).toEqual(node(leaf(1)).hash());
    expect(arena.depth(placeholder)).toBe(1);
    expect(() => new Slice(arena, placeholder)).toThrow(PrunedCellError);
    expect(() => arena.ref(placeholder, 0)).toThrow(PrunedCellError);
    expect(() => writeBoc({ cells: arena, roots: [root] }, { order: 'core' })).toThrow(PrunedCellError);
    expect(() => toCoreCell(arena, root)).toThrow(PrunedCellError);

    const rest = fromCoreCell(node(leaf(1)));
    expect(arena.add(rest, rest.root)).toBe(placeholder);
    expect(toCoreCell(arena, root).equals(state)).toBe(true);
  });

  it('lists at most the requested number of missing cells', () => {
    const state = node(node(leaf(1)), node(leaf(2)), node(leaf(3)));
    const part = top(state, 1);
    const arena = new CellArena();
    const root = arena.add(part.bag, part.root);
    expect(arena.missing(root, 2)).toEqual([node(leaf(1)).hash(), node(leaf(2)).hash()]);
    expect(arena.missing(root, 3)).toHaveLength(3);
    expect(arena.missing(root, 0)).toEqual([]);
  });

  it('accepts a placeholder as a root', () => {
    const arena = new CellArena();
    const part = top(node(leaf(1)), 0);
    const root = arena.add(part.bag, part.root);
    expect(arena.missing(root, 5)).toEqual([node(leaf(1)).hash()]);
    const [kept] = arena.compact([root]);
    expect(arena.count).toBe(1);
    expect(arena.hash(kept!)).toEqual(node(leaf(1)).hash());
  });

  it('drops cells that are below no root in compact', () => {
    const arena = new CellArena();
    const a = fromCoreCell(node(leaf(1), leaf(2)));
    const b = fromCoreCell(node(leaf(2), leaf(3)));
    arena.add(a, a.root);
    const root = arena.add(b, b.root);
    const before = arena.memory;
    expect(arena.compact([root, root])).toEqual([2, 2]);
    expect(arena.count).toBe(3);
    expect(arena.find(leaf(1).hash())).toBe(-1);
    expect(treeDifference(arena, 2, b, b.root)).toBe('');
    expect(arena.memory).toBeLessThanOrEqual(before);
    expect(arena.compact([])).toEqual([]);
    expect(arena.count).toBe(0);
  });

  it('visits shared cells once, complete or not', () => {
    let cell = node(leaf(1));
    for (let i = 0; i < 200; i++) cell = node(cell, cell, cell, cell);
    const whole = fromCoreCell(cell);
    const cells = top(cell, 200);
    const arena = new CellArena();
    const root = arena.add(cells.bag, cells.root);
    expect(arena.missing(root, 10)).toEqual([node(leaf(1)).hash()]);
    const [kept] = arena.compact([root]);
    expect(arena.count).toBe(201);
    expect(arena.add(whole, whole.root)).toBe(kept);
    expect(arena.isComplete(kept!)).toBe(true);
    expect(arena.count).toBe(202);
  });

  it('rejects a pruned branch whose depth differs from the known one', () => {
    const arena = new CellArena();
    const known = fromCoreCell(leaf(1));
    arena.add(known, known.root);
    const pruned = beginCell().storeUint(0x0101, 16).storeBuffer(leaf(1).hash()).storeUint(7, 16);
    const liar = fromCoreCell(node(pruned.endCell({ exotic: true })));
    expect(() => arena.add(liar, liar.root)).toThrow(CellError);
    expect(arena.count).toBe(1);
  });

  it('finds every cell of a large arena', () => {
    const arena = new CellArena(0);
    const values = Array.from({ length: 4096 }, (_, value) => value);
    for (let from = 0; from < values.length; from += 4) {
      const bag = fromCoreCell(node(...values.slice(from, from + 4).map(leaf)));
      arena.add(bag, bag.root);
    }
    expect(arena.count).toBe((values.length * 5) / 4);
    const found = values.map((value) => new Slice(arena, arena.find(leaf(value).hash())).uint(32));
    expect(found).toEqual(values);
  });
});
