import { beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { CellBuilder } from '../../../src/chain/boc/builder.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { fromCoreCell, toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { arbitraryCell } from '../support/arbitrary-cells.ts';
import { treeDifference } from '../support/cell-comparison.ts';
import { makePart } from '../support/proofs.ts';

/** Makes every cell of a bag again from its data and the cells below it; gives the root. */
function buildAgain(arena: BuildingArena, bag: CellBag): number {
  const numbers: number[] = [];
  const builder = new CellBuilder();
  for (let cell = bag.count - 1; cell >= 0; cell--) {
    const start = bag.starts[cell]!;
    const bits = bag.bits[cell]!;
    builder.bits(bag.bytes.subarray(start, start + ((bits + 7) >> 3)), 0, bits);
    for (let i = 0; i < bag.refCount(cell); i++) builder.ref(numbers[bag.ref(cell, i)]!);
    numbers[cell] = bag.isExotic(cell) ? arena.buildExotic(builder) : arena.build(builder);
  }
  return numbers[bag.root]!;
}

describe('BuildingArena', () => {
  it('computes hashes and depths at all levels for all kinds of cells', () => {
    fc.assert(
      fc.property(arbitraryCell, (core) => {
        const bag = fromCoreCell(core);
        const arena = new BuildingArena(1);
        const root = buildAgain(arena, bag);
        expect(treeDifference(arena, root, bag, bag.root)).toBe('');
        const again = readBoc(writeBoc({ cells: arena, roots: [root] }, { order: 'core' }));
        expect(again.hash(again.root)).toEqual(bag.hash(bag.root));
      }),
    );
  });

  it('stores equal cells once, whether built or imported', () => {
    const arena = new BuildingArena();
    const bag = fromCoreCell(beginCell().storeUint(7, 33).storeRef(Cell.EMPTY).endCell());
    const imported = arena.add(bag, bag.root);
    const { count } = arena;
    const builder = new CellBuilder();
    const empty = arena.build(builder);
    expect(arena.build(builder.bigUint(7n, 33).ref(empty))).toBe(imported);
    expect(arena.count).toBe(count);
    const other = arena.build(builder.bigUint(8n, 33).ref(empty));
    expect(other).not.toBe(imported);
    expect(arena.build(new CellBuilder().bigUint(8n, 33).ref(empty))).toBe(other);
    // The builder was emptied each time.
    expect([builder.bitCount, builder.refs]).toEqual([0, []]);
  });

  it('builds library references', () => {
    const arena = new BuildingArena();
    const hash = Buffer.alloc(32, 9);
    const expected = beginCell().storeUint(2, 8).storeBuffer(hash).endCell({ exotic: true });
    expect(toCoreCell(arena, arena.buildLibrary(hash)).equals(expected)).toBe(true);
  });

  it('replaces a placeholder by the cell and marks what is complete', () => {
    const leaf = beginCell().storeUint(1, 8).endCell();
    const child = beginCell().storeUint(2, 8).storeRef(leaf).endCell();
    const bag = fromCoreCell(beginCell().storeUint(3, 8).storeRef(child).endCell());
    const part = makePart({ cells: bag, root: bag.root, shows: (cell) => cell === bag.root });
    const arena = new BuildingArena();
    const root = arena.add(part.bag, part.root);
    const place = arena.ref(root, 0);
    const above = arena.build(new CellBuilder().ref(root));
    expect(arena.isPlaceholder(place)).toBe(true);
    expect([root, above].map((cell) => arena.isComplete(cell))).toEqual([false, false]);
    expect(arena.missing(above, 9)).toEqual([child.hash()]);

    const leafCell = arena.build(new CellBuilder().uint(1, 8));
    expect(arena.build(new CellBuilder().uint(2, 8).ref(leafCell))).toBe(place);
    expect(arena.isComplete(place)).toBe(true);
    expect(arena.missing(above, 9)).toEqual([]);
    expect(new Slice(arena, place).uint(8)).toBe(2);
    expect(arena.isComplete(arena.build(new CellBuilder().ref(above).ref(place)))).toBe(true);
  });

  it('works after compact', () => {
    const arena = new BuildingArena();
    const builder = new CellBuilder();
    for (let i = 0; i < 3000; i++) arena.build(builder.uint(i, 32));
    const kept = arena.build(builder.uint(5, 64 / 2).ref(arena.build(new CellBuilder())));
    const hash = Buffer.from(arena.hash(kept));
    const [root] = arena.compact([kept]) as [number];
    expect([arena.count, arena.hash(root)]).toEqual([2, hash]);
    expect(arena.build(builder.uint(5, 32).ref(arena.build(new CellBuilder())))).toBe(root);
  });

  it('rejects cells that are too deep, and exotic cells of unknown types', () => {
    const arena = new BuildingArena();
    const builder = new CellBuilder();
    let cell = arena.build(builder);
    for (let depth = 1; depth <= 1024; depth++) cell = arena.build(builder.ref(cell));
    expect(() => arena.build(builder.ref(cell))).toThrow('the cells are too deep');
    expect(() => arena.buildExotic(new CellBuilder().uint(9, 8))).toThrow('unknown type');
  });
});
