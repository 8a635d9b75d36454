import { beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellBuilder } from '../../../src/chain/boc/cell-builder.ts';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { openMerkleUpdate } from '../../../src/chain/boc/merkle.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { makeMerkleUpdate } from '../../../src/chain/state/make-merkle-update.ts';
import { Dictionary } from '../../../src/chain/tlb-write/dictionary.ts';
import { arbitraryOrdinaryCell } from '../boc/arbitrary-cell.ts';
import { arbitraryState } from './arbitrary-state.ts';
import { countCells, expectUpdateWorks } from './check-update.ts';
import { makePart } from './make-update.ts';

/** A dictionary of cells with something below them. */
const FORM = {
  keyBits: 32,
  write: (builder: CellBuilder, cell: number) => void builder.ref(cell),
};

function addCore(arena: BuildingArena, core: Cell): number {
  const bag = fromCoreCell(core);
  return arena.add(bag, bag.root);
}

const keyOf = (number: number): Buffer => {
  const key = Buffer.alloc(4);
  // Spread as hashes are.
  key.writeUInt32BE(Math.imul(number, 0x9e3779b1) >>> 0);
  return key;
};

/** An entry of an own with three cells. */
function entry(arena: BuildingArena, number: number): number {
  const leaf = arena.build(new CellBuilder().uint(number, 32).uint(1, 8));
  return arena.build(
    new CellBuilder().uint(number, 32).ref(arena.build(new CellBuilder().uint(number, 32).ref(leaf))),
  );
}

describe('a Merkle update of two states', () => {
  it('gives the new state from the old one alone, whatever they are', () => {
    fc.assert(
      fc.property(arbitraryState, arbitraryState, (before, after) => {
        const arena = new BuildingArena();
        expectUpdateWorks(arena, addCore(arena, before), addCore(arena, after));
      }),
    );
  });

  it('gives the new state where the two have parts in common', () => {
    const change = fc.record({ key: fc.nat({ max: 60 }), value: fc.nat({ max: 5 }) });
    fc.assert(
      fc.property(fc.array(change), fc.array(change), arbitraryOrdinaryCell, (first, second, other) => {
        const arena = new BuildingArena();
        const dictionary = new Dictionary(arena, FORM);
        let root = -1;
        const apply = ({ key, value }: { key: number; value: number }): void => {
          root =
            value === 0
              ? dictionary.delete(root, keyOf(key))
              : dictionary.set(root, keyOf(key), entry(arena, value));
        };
        const stateOf = (seqno: number): number =>
          arena.build(new CellBuilder().uint(seqno, 32).maybeRef(root).ref(addCore(arena, other)));
        first.forEach(apply);
        const before = stateOf(1);
        second.forEach(apply);
        expectUpdateWorks(arena, before, stateOf(2));
      }),
    );
  });

  it('shows the way to a change and nothing else', () => {
    const arena = new BuildingArena();
    const dictionary = new Dictionary(arena, FORM);
    const entries = Array.from({ length: 4096 }, (_, i) => [keyOf(i), entry(arena, i)] as const);
    const before = dictionary.build(entries.toSorted(([a], [b]) => a.compare(b)));
    const after = dictionary.set(before, keyOf(77), entry(arena, 1_000_000));
    const update = expectUpdateWorks(arena, before, after);
    const [oldSide, newSide] = [arena.ref(update, 0), arena.ref(update, 1)];
    const height = arena.depth(before);
    // A fork shows one branch and prunes the other. The old leaf is pruned, the new one shown with its three cells.
    expect(countCells(arena, oldSide).pruned).toBeLessThanOrEqual(height);
    expect(countCells(arena, newSide).pruned).toBe(countCells(arena, oldSide).pruned - 1);
    expect(countCells(arena, newSide).all - countCells(arena, oldSide).all).toBe(1 + 3 - 1);
    expect(countCells(arena, oldSide).all).toBeLessThan(2 * height);
  });

  it('takes an old part for new where only another shared part holds it', () => {
    // A node does the same: the code of a new account comes with a message and not from another account.
    const arena = new BuildingArena();
    const code = addCore(arena, beginCell().storeUint(1, 8).storeRef(Cell.EMPTY).endCell());
    const account = arena.build(new CellBuilder().uint(2, 8).ref(code));
    const before = arena.build(new CellBuilder().uint(3, 8).ref(account));
    const after = arena.build(new CellBuilder().uint(4, 8).ref(account).ref(code));
    const update = expectUpdateWorks(arena, before, after);
    const shown = arena.ref(update, 1);
    expect(arena.isPruned(arena.ref(shown, 0))).toBe(true);
    expect(arena.ref(shown, 1)).toBe(code);
  });

  it('does not prune inside a Merkle proof that a contract keeps, but the proof as a whole', () => {
    const arena = new BuildingArena();
    const inner = beginCell()
      .storeUint(1, 8)
      .storeRef(beginCell().storeUint(2, 8).storeRef(Cell.EMPTY))
      .endCell();
    const bag = fromCoreCell(inner);
    const { bag: proof } = makePart({ cells: bag, root: bag.root, keep: (cell) => cell === bag.root });
    const kept = arena.add(proof, proof.root);
    const without = arena.build(new CellBuilder().uint(1, 8).ref(addCore(arena, inner)));
    const withProof = (tag: number) => arena.build(new CellBuilder().uint(tag, 8).ref(kept));
    expect(arena.ref(arena.ref(expectUpdateWorks(arena, without, withProof(2)), 1), 0)).toBe(kept);
    const between = expectUpdateWorks(arena, withProof(2), withProof(3));
    expect(arena.isPruned(arena.ref(arena.ref(between, 1), 0))).toBe(true);
  });

  it('of a state to itself is two pruned branches', () => {
    const arena = new BuildingArena();
    const state = addCore(arena, beginCell().storeRef(Cell.EMPTY).endCell());
    const update = expectUpdateWorks(arena, state, state);
    expect(arena.isPruned(openMerkleUpdate(arena, update).new)).toBe(true);
    expect(arena.ref(update, 0)).toBe(arena.ref(update, 1));
  });

  it('needs no more of an incomplete old state than it shows, and all that is new', () => {
    const bag = fromCoreCell(
      beginCell()
        .storeRef(beginCell().storeUint(1, 8).storeRef(Cell.EMPTY))
        .storeRef(beginCell().storeUint(2, 8).storeRef(Cell.EMPTY))
        .endCell(),
    );
    const part = makePart({ cells: bag, root: bag.root, keep: (cell) => cell === bag.root });
    const arena = new BuildingArena();
    const before = arena.add(part.bag, part.root);
    const after = arena.build(new CellBuilder().uint(7, 8).ref(arena.ref(before, 0)));
    const { new: shown } = openMerkleUpdate(arena, makeMerkleUpdate(arena, before, after));
    expect(arena.isPruned(arena.ref(shown, 0))).toBe(true);
    expect(() => makeMerkleUpdate(arena, after, before)).toThrow('the cell is pruned');
  });

  it('refuses cells that have pruned branches themselves', () => {
    const arena = new BuildingArena();
    const pruned = arena.buildExotic(new CellBuilder().uint(0x0101, 16).hash(Buffer.alloc(32)).uint(1, 16));
    const state = arena.build(new CellBuilder());
    expect(() => makeMerkleUpdate(arena, state, arena.build(new CellBuilder().ref(pruned)))).toThrow(
      'has pruned branches itself',
    );
  });
});
