import { beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CellBag } from '../../../src/chain/boc/bag.ts';
import { CellBuilder } from '../../../src/chain/boc/builder.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { openMerkleUpdate } from '../../../src/chain/boc/merkle.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { CellArena } from '../../../src/chain/state/arena.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { applyMerkleUpdate, makeMerkleUpdate } from '../../../src/chain/state/merkle-updates.ts';
import { Dictionary } from '../../../src/chain/tlb/dictionary.ts';
import { joinStates, splitStateParts } from '../../../src/chain/tlb/shard-state.ts';
import { arbitraryOrdinaryCell, arbitraryState } from '../support/arbitrary-cells.ts';
import { treeDifference } from '../support/cell-comparison.ts';
import { countCells, expectUpdateWorks } from '../support/check-update.ts';
import { makePart, makeUpdate, type Side } from '../support/proofs.ts';

const leaf = (value: number): Cell => beginCell().storeUint(value, 32).endCell();
const node = (...refs: Cell[]): Cell =>
  refs.reduce((builder, ref) => builder.storeRef(ref), beginCell()).endCell();

/** An update as a node makes it: the new side shows what the old state does not have. */
function updateBetween(before: CellBag, after: CellBag): CellBag {
  const known = new Set<string>();
  for (let cell = 0; cell < before.count; cell++) known.add(before.hash(cell).toString('hex'));
  const old: Side = { cells: before, root: before.root, shows: () => false };
  const keep = (cell: number) => !known.has(after.hash(cell).toString('hex'));
  return makeUpdate(old, { cells: after, root: after.root, shows: keep });
}

/** Two states that have something in common. */
const twoStates = fc.tuple(arbitraryState, arbitraryState, arbitraryState).map(([common, first, second]) => {
  const rows = node(common, leaf(7), node(first));
  return [node(rows, first), node(leaf(8), rows, node(second))] as const;
});

describe('applyMerkleUpdate', () => {
  it('returns the new state with all its cells', () => {
    fc.assert(
      fc.property(twoStates, ([first, second]) => {
        const [before, after] = [fromCoreCell(first), fromCoreCell(second)];
        const arena = new CellArena();
        const old = arena.add(before, before.root);
        const update = updateBetween(before, after);
        const root = applyMerkleUpdate(arena, old, update, update.root);
        expect(treeDifference(arena, root, after, after.root)).toBe('');
        expect(arena.missing(root, 1)).toEqual([]);
        const back = updateBetween(after, before);
        expect(applyMerkleUpdate(arena, root, back, back.root)).toBe(old);
      }),
    );
  });

  it('works with any part of the old state, and completes when the rest is added', () => {
    fc.assert(
      fc.property(twoStates, fc.infiniteStream(fc.boolean()), ([first, second], chance) => {
        const [before, after] = [fromCoreCell(first), fromCoreCell(second)];
        const kept = Uint8Array.from({ length: before.count }, () => (chance.next().value ? 1 : 0));
        const part = makePart({ cells: before, root: before.root, shows: (cell) => kept[cell] === 1 });
        const arena = new CellArena();
        const old = arena.add(part.bag, part.root);
        const update = updateBetween(before, after);
        const updated = applyMerkleUpdate(arena, old, update, update.root);
        const [root] = arena.compact([updated]);
        expect(arena.hash(root!)).toEqual(after.hash(after.root));
        for (const hash of arena.missing(root!, 1000)) {
          expect(arena.isPlaceholder(arena.find(hash))).toBe(true);
        }
        arena.add(before, before.root);
        expect(arena.missing(root!, 1)).toEqual([]);
        expect(treeDifference(arena, root!, after, after.root)).toBe('');
      }),
    );
  });

  it('starts from only the hash of the old state', () => {
    const [before, after] = [
      fromCoreCell(node(leaf(1), node(leaf(2)))),
      fromCoreCell(node(leaf(3), node(leaf(2)))),
    ];
    const update = updateBetween(before, after);
    const arena = new CellArena();
    const root = applyMerkleUpdate(arena, before.hash(before.root), update, update.root);
    expect(arena.missing(root, 5)).toEqual([node(leaf(2)).hash()]);
    expect(arena.bits[arena.ref(root, 0)]).toBe(32);
  });

  it('rejects an update of another state, a forged one, and other cells', () => {
    const [first, second, third] = [1, 2, 3].map((value) => fromCoreCell(node(leaf(value), node(leaf(9)))));
    const arena = new CellArena();
    const root = arena.add(third!, third!.root);
    const update = updateBetween(first!, second!);
    expect(() => applyMerkleUpdate(arena, root, update, update.root)).toThrow(
      new CellError('update starts from another state'),
    );
    expect(() => applyMerkleUpdate(arena, leaf(1).hash(), update, update.root)).toThrow(CellError);
    expect(() => applyMerkleUpdate(arena, root, third!, third!.root)).toThrow(CellError);
    expect(() => applyMerkleUpdate(arena, root, update, update.ref(update.root, 0))).toThrow(CellError);

    const side = (cells: CellBag): Side => ({ cells, root: cells.root, shows: () => true });
    const lie = second!.hash(second!.root);
    for (const names of [{ old: lie }, { new: lie }]) {
      const lying = makeUpdate(side(third!), side(first!), names);
      expect(() => applyMerkleUpdate(arena, root, lying, lying.root)).toThrow(CellError);
    }
    expect(arena.count).toBe(third!.count);
  });
});

describe('Merkle cells inside a state', () => {
  // A contract that keeps a proof: of `secret` it has a pruned branch only.
  const secret = node(leaf(1), leaf(2));
  const pruned = beginCell().storeUint(0x0101, 16).storeBuffer(secret.hash()).storeUint(1, 16);
  const shown = node(node(pruned.endCell({ exotic: true })), leaf(3));
  const proof = beginCell().storeUint(3, 8).storeBuffer(shown.hash(0)).storeUint(shown.depth(0), 16);
  const state = node(proof.storeRef(shown).endCell({ exotic: true }), leaf(4));
  const cells = fromCoreCell(state);

  it('keep their pruned branches even if the cells behind them are known', () => {
    const arena = new CellArena();
    const real = fromCoreCell(secret);
    arena.add(real, real.root);
    const root = arena.add(cells, cells.root);
    expect(treeDifference(arena, root, cells, cells.root)).toBe('');
    const branch = arena.ref(arena.ref(arena.ref(arena.ref(root, 0), 0), 0), 0);
    expect(arena.isPruned(branch)).toBe(true);
    expect(arena.isPlaceholder(branch)).toBe(false);
    expect(arena.hash(branch, 0)).toEqual(secret.hash());
    expect(branch).not.toBe(arena.find(secret.hash()));
  });

  it('are distinguished from the cells that an update prunes', () => {
    // Leaves out the parent of the contract's own pruned branch: a branch of two levels in one.
    const keep = (cell: number) => !cells.hash(cell).equals(node(pruned.endCell({ exotic: true })).hash());
    const part = makePart({ cells, root: cells.root, shows: keep });
    const arena = new CellArena();
    const root = arena.add(part.bag, part.root);
    const inner = arena.ref(arena.ref(arena.ref(root, 0), 0), 0);
    expect(arena.isPlaceholder(inner)).toBe(true);
    expect(arena.levelMask(inner)).toBe(1);
    expect(arena.hash(inner, 0)).toEqual(node(secret).hash());
    expect(arena.depth(inner, 0)).toBe(2);
    expect(arena.depth(inner)).toBe(1);
    expect(arena.missing(root, 5)).toEqual([node(pruned.endCell({ exotic: true })).hash()]);
    const [kept] = arena.compact([root]);
    arena.add(cells, cells.root);
    expect(treeDifference(arena, kept!, cells, cells.root)).toBe('');
  });

  it('can be imported separately with their Merkle depth', () => {
    const arena = new CellArena();
    const inside = cells.ref(cells.ref(cells.root, 0), 0);
    const [row] = arena.compact([arena.add(cells, inside, 1)]);
    expect(arena.isComplete(row!)).toBe(true);
    expect(arena.hash(row!)).toEqual(shown.hash());
  });

  it('may contain a cell that is also used outside, with another meaning', () => {
    const twice = node(pruned.endCell({ exotic: true }));
    const inner = beginCell().storeUint(3, 8).storeBuffer(twice.hash(0)).storeUint(twice.depth(0), 16);
    const part = fromCoreCell(node(twice, inner.storeRef(twice).endCell({ exotic: true })));
    const arena = new CellArena();
    const root = arena.add(part, part.root);
    const beside = arena.ref(root, 0);
    const below = arena.ref(arena.ref(root, 1), 0);
    expect(arena.hash(beside)).toEqual(node(secret).hash());
    expect(arena.isPlaceholder(arena.ref(beside, 0))).toBe(true);
    expect(arena.hash(below)).toEqual(twice.hash());
    expect(arena.isComplete(below)).toBe(true);
  });
});

describe('joinStates', () => {
  it('returns the cell that the first update after a merge starts from', () => {
    const [left, right] = [fromCoreCell(node(leaf(1))), fromCoreCell(node(leaf(2), leaf(1)))];
    const arena = new CellArena();
    const halves = [arena.add(left, left.root), arena.add(right, right.root)] as const;
    const joined = joinStates(arena, ...halves);
    const wanted = beginCell()
      .storeUint(0x5f327da5, 32)
      .storeRef(node(leaf(1)))
      .storeRef(node(leaf(2), leaf(1)));
    expect(arena.hash(joined)).toEqual(wanted.endCell().hash());
    expect(arena.isComplete(joined)).toBe(true);
    expect(splitStateParts(arena, joined)).toEqual(halves);
  });

  it('works when only the hashes of the halves are known', () => {
    const arena = new CellArena();
    const parts = [node(leaf(1)), node(leaf(2))].map((cell) => {
      const cells = fromCoreCell(cell);
      const part = makePart({ cells, root: cells.root, shows: () => false });
      return arena.add(part.bag, part.root);
    });
    const joined = joinStates(arena, parts[0]!, parts[1]!);
    expect(arena.missing(joined, 5)).toHaveLength(2);
  });
});

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

describe('makeMerkleUpdate', () => {
  it('makes an update that leads from any old state to any new state', () => {
    fc.assert(
      fc.property(arbitraryState, arbitraryState, (before, after) => {
        const arena = new BuildingArena();
        expectUpdateWorks(arena, addCore(arena, before), addCore(arena, after));
      }),
    );
  });

  it('makes an update between states with common parts', () => {
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

  it('includes only the path to a change', () => {
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

  it('treats an old part as new if it is only inside another shared part', () => {
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

  it('prunes a Merkle proof of a contract as a whole, not inside it', () => {
    const arena = new BuildingArena();
    const inner = beginCell()
      .storeUint(1, 8)
      .storeRef(beginCell().storeUint(2, 8).storeRef(Cell.EMPTY))
      .endCell();
    const bag = fromCoreCell(inner);
    const { bag: proof } = makePart({ cells: bag, root: bag.root, shows: (cell) => cell === bag.root });
    const kept = arena.add(proof, proof.root);
    const without = arena.build(new CellBuilder().uint(1, 8).ref(addCore(arena, inner)));
    const withProof = (tag: number) => arena.build(new CellBuilder().uint(tag, 8).ref(kept));
    expect(arena.ref(arena.ref(expectUpdateWorks(arena, without, withProof(2)), 1), 0)).toBe(kept);
    const between = expectUpdateWorks(arena, withProof(2), withProof(3));
    expect(arena.isPruned(arena.ref(arena.ref(between, 1), 0))).toBe(true);
  });

  it('makes two pruned branches for a state without changes', () => {
    const arena = new BuildingArena();
    const state = addCore(arena, beginCell().storeRef(Cell.EMPTY).endCell());
    const update = expectUpdateWorks(arena, state, state);
    expect(arena.isPruned(openMerkleUpdate(arena, update).new)).toBe(true);
    expect(arena.ref(update, 0)).toBe(arena.ref(update, 1));
  });

  it('needs only the included cells of an incomplete old state, and all of the new one', () => {
    const bag = fromCoreCell(
      beginCell()
        .storeRef(beginCell().storeUint(1, 8).storeRef(Cell.EMPTY))
        .storeRef(beginCell().storeUint(2, 8).storeRef(Cell.EMPTY))
        .endCell(),
    );
    const part = makePart({ cells: bag, root: bag.root, shows: (cell) => cell === bag.root });
    const arena = new BuildingArena();
    const before = arena.add(part.bag, part.root);
    const after = arena.build(new CellBuilder().uint(7, 8).ref(arena.ref(before, 0)));
    const { new: shown } = openMerkleUpdate(arena, makeMerkleUpdate(arena, before, after));
    expect(arena.isPruned(arena.ref(shown, 0))).toBe(true);
    expect(() => makeMerkleUpdate(arena, after, before)).toThrow('the cell is pruned');
  });

  it('rejects cells with pruned branches', () => {
    const arena = new BuildingArena();
    const pruned = arena.buildExotic(new CellBuilder().uint(0x0101, 16).hash(Buffer.alloc(32)).uint(1, 16));
    const state = arena.build(new CellBuilder());
    expect(() => makeMerkleUpdate(arena, state, arena.build(new CellBuilder().ref(pruned)))).toThrow(
      'cell with pruned branches',
    );
  });
});
