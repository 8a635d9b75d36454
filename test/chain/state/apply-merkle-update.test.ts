import { beginCell, type Cell } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CellBag } from '../../../src/chain/boc/cell-bag.ts';
import { CellFault } from '../../../src/chain/boc/cell-fault.ts';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { applyMerkleUpdate } from '../../../src/chain/state/apply-merkle-update.ts';
import { CellArena } from '../../../src/chain/state/cell-arena.ts';
import { joinStates } from '../../../src/chain/state/join-states.ts';
import { splitStateParts } from '../../../src/chain/tlb/shard-state.ts';
import { arbitraryState } from './arbitrary-state.ts';
import { makePart, makeUpdate, type Side } from './make-update.ts';
import { treeDifference } from './same-tree.ts';

const leaf = (value: number): Cell => beginCell().storeUint(value, 32).endCell();
const node = (...refs: Cell[]): Cell =>
  refs.reduce((builder, ref) => builder.storeRef(ref), beginCell()).endCell();

/** An update as a node makes it: the new side shows what the old state does not have. */
function updateBetween(before: CellBag, after: CellBag): CellBag {
  const known = new Set<string>();
  for (let cell = 0; cell < before.count; cell++) known.add(before.hash(cell).toString('hex'));
  const old: Side = { cells: before, root: before.root, keep: () => false };
  const keep = (cell: number) => !known.has(after.hash(cell).toString('hex'));
  return makeUpdate(old, { cells: after, root: after.root, keep });
}

/** Two states that have something in common. */
const twoStates = fc.tuple(arbitraryState, arbitraryState, arbitraryState).map(([common, first, second]) => {
  const rows = node(common, leaf(7), node(first));
  return [node(rows, first), node(leaf(8), rows, node(second))] as const;
});

describe('applying a Merkle update', () => {
  it('gives the new state, cell by cell', () => {
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

  it('works with any part of the old state, and completes when the rest is learnt', () => {
    fc.assert(
      fc.property(twoStates, fc.infiniteStream(fc.boolean()), ([first, second], chance) => {
        const [before, after] = [fromCoreCell(first), fromCoreCell(second)];
        const kept = Uint8Array.from({ length: before.count }, () => (chance.next().value ? 1 : 0));
        const part = makePart({ cells: before, root: before.root, keep: (cell) => kept[cell] === 1 });
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

  it('starts from nothing but the hash of the old state', () => {
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

  it('refuses an update of another state, a lying one, and what is no update', () => {
    const [first, second, third] = [1, 2, 3].map((value) => fromCoreCell(node(leaf(value), node(leaf(9)))));
    const arena = new CellArena();
    const root = arena.add(third!, third!.root);
    const update = updateBetween(first!, second!);
    expect(() => applyMerkleUpdate(arena, root, update, update.root)).toThrow(
      new CellFault('the update starts from another state'),
    );
    expect(() => applyMerkleUpdate(arena, leaf(1).hash(), update, update.root)).toThrow(CellFault);
    expect(() => applyMerkleUpdate(arena, root, third!, third!.root)).toThrow(CellFault);
    expect(() => applyMerkleUpdate(arena, root, update, update.ref(update.root, 0))).toThrow(CellFault);

    const side = (cells: CellBag): Side => ({ cells, root: cells.root, keep: () => true });
    const lie = second!.hash(second!.root);
    for (const names of [{ old: lie }, { new: lie }]) {
      const lying = makeUpdate(side(third!), side(first!), names);
      expect(() => applyMerkleUpdate(arena, root, lying, lying.root)).toThrow(CellFault);
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

  it('keep their pruned branches even where the cells behind these are known', () => {
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

  it('are told from the cells that an update leaves out there', () => {
    // Leaves out the parent of the contract's own pruned branch: a branch of two levels in one.
    const keep = (cell: number) => !cells.hash(cell).equals(node(pruned.endCell({ exotic: true })).hash());
    const part = makePart({ cells, root: cells.root, keep });
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

  it('can be imported by themselves when their depth is told', () => {
    const arena = new CellArena();
    const inside = cells.ref(cells.ref(cells.root, 0), 0);
    const [row] = arena.compact([arena.add(cells, inside, 1)]);
    expect(arena.isComplete(row!)).toBe(true);
    expect(arena.hash(row!)).toEqual(shown.hash());
  });

  it('give the same cell another meaning below them and beside them', () => {
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

describe('joining the states of two halves', () => {
  it('gives the cell that the first update after a merge starts from', () => {
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

  it('works when the halves are known by hash only', () => {
    const arena = new CellArena();
    const parts = [node(leaf(1)), node(leaf(2))].map((cell) => {
      const cells = fromCoreCell(cell);
      const part = makePart({ cells, root: cells.root, keep: () => false });
      return arena.add(part.bag, part.root);
    });
    const joined = joinStates(arena, parts[0]!, parts[1]!);
    expect(arena.missing(joined, 5)).toHaveLength(2);
  });
});
