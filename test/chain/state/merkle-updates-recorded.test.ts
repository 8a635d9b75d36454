import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import type { Cells } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { CellArena } from '../../../src/chain/state/arena.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { applyMerkleUpdate, makeMerkleUpdate } from '../../../src/chain/state/merkle-updates.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { lookUpShardAccount } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { isLongRun } from '../../support/long-run.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { treeDifference } from '../support/cell-comparison.ts';
import { countCells, expectUpdateWorks } from '../support/check-update.ts';
import { recordedAnswer, recordedBag } from '../support/recorded-network.ts';

const WHOLE = '8000000000000000';
const LEFT = '4000000000000000';
const RIGHT = 'c000000000000000';
/** The last block before the split of the basechain, and the last of each shard. */
const BEFORE_SPLIT = 22;
const LAST = 122;
const LAST_MASTER = 125;

/** Applies what blocks of one shard did, from a state on. */
function follow(arena: CellArena, start: number, shard: string, from: number, to: number): number {
  let root = start;
  for (let seqno = from; seqno <= to; seqno++) {
    const block = recordedBag(`blocks/${shard}_${seqno}`);
    root = applyMerkleUpdate(arena, root, block, stateUpdate(block, block.root));
  }
  return root;
}

/** The third reference of a block. */
function stateUpdate(cells: Cells, block: number): number {
  return cells.ref(block, 2);
}

function load(arena: CellArena, name: string): number {
  const bag = recordedBag(`states/${name}`);
  return arena.add(bag, bag.root);
}

function expectState(arena: CellArena, root: number, name: string): void {
  const bag = recordedBag(`states/${name}`);
  expect(treeDifference(arena, root, bag, bag.root)).toBe('');
  expect(arena.missing(root, 1)).toEqual([]);
  // Hashed again from the data alone, and no cell more than there should be.
  const again = readBoc(writeBoc({ cells: arena, roots: [root] }, { order: 'core' }));
  expect(again.hash(again.root)).toEqual(bag.hash(bag.root));
  expect(hashes(again)).toEqual(hashes(bag));
}

function hashes(cells: Cells): Set<string> {
  return new Set(Array.from({ length: cells.count }, (_, cell) => cells.hash(cell).toString('hex')));
}

describe.skipIf(missingNetwork !== '')(`following the recorded network${missingNetwork}`, () => {
  it('reaches the last states of all shards from the zero states, across a split', () => {
    const arena = new CellArena();
    const master = follow(arena, load(arena, `-1_${WHOLE}_0`), `-1_${WHOLE}`, 1, LAST_MASTER);
    const base = follow(arena, load(arena, `0_${WHOLE}_0`), `0_${WHOLE}`, 1, BEFORE_SPLIT);
    expect(readShardState(arena, base).beforeSplit).toBe(true);
    // Both halves start from the state of the whole.
    const left = follow(arena, base, `0_${LEFT}`, BEFORE_SPLIT + 1, LAST);
    const right = follow(arena, base, `0_${RIGHT}`, BEFORE_SPLIT + 1, LAST);
    expectState(arena, master, `-1_${WHOLE}_${LAST_MASTER}`);
    expectState(arena, left, `0_${LEFT}_${LAST}`);
    expectState(arena, right, `0_${RIGHT}_${LAST}`);
  });

  it.runIf(isLongRun)('reaches the same states with compact in between', () => {
    const arena = new CellArena();
    let master = load(arena, `-1_${WHOLE}_0`);
    let [left, right] = [load(arena, `0_${WHOLE}_0`), 0];
    let largest = 0;
    for (let from = 1; from <= LAST_MASTER; from += 11) {
      const to = from + 10;
      master = follow(arena, master, `-1_${WHOLE}`, from, Math.min(to, LAST_MASTER));
      if (to <= BEFORE_SPLIT) {
        left = follow(arena, left, `0_${WHOLE}`, from, to);
        right = left;
      } else {
        left = follow(arena, left, `0_${LEFT}`, from, Math.min(to, LAST));
        right = follow(arena, right, `0_${RIGHT}`, from, Math.min(to, LAST));
      }
      largest = Math.max(largest, arena.count);
      [master, left, right] = arena.compact([master, left, right]) as [number, number, number];
    }
    expectState(arena, master, `-1_${WHOLE}_${LAST_MASTER}`);
    expectState(arena, left, `0_${LEFT}_${LAST}`);
    expectState(arena, right, `0_${RIGHT}_${LAST}`);
    expect(largest).toBeLessThan(2500);
  });

  it('knows accounts of later blocks when it starts in the middle without a state', () => {
    const start = 60;
    const first = recordedBag(`blocks/0_${LEFT}_${start}`);
    const oldHash = first.bytes.subarray(first.starts[stateUpdate(first, 0)]! + 1).subarray(0, 32);
    const arena = new CellArena();
    let root = applyMerkleUpdate(arena, oldHash, first, stateUpdate(first, first.root));
    expect(arena.missing(root, 1000).length).toBeGreaterThan(0);
    root = follow(arena, root, `0_${LEFT}`, start + 1, LAST);
    const before = arena.missing(root, 10_000).length;
    [root] = arena.compact([root]) as [number];
    expect(arena.missing(root, 10_000)).toHaveLength(before);

    // alice sent messages after that block, so her account came with the updates, but not the code.
    const { raw, state } = recordedAnswer('accounts/alice');
    const id = Buffer.from(raw.slice(2), 'hex');
    const entry = lookUpShardAccount(arena, readShardState(arena, root).accounts, id)!;
    const account = readAccount(arena, entry.account)!;
    const recorded = readBoc(Buffer.from(state, 'base64'));
    expect(arena.hash(entry.account)).toEqual(recorded.hash(recorded.root));
    expect(account.balance.grams).toBe(readAccount(recorded, recorded.root)!.balance.grams);
    expect(account.state.kind === 'active' && arena.isPlaceholder(account.state.init.code)).toBe(true);

    // Her state as a lite server gives it fills the gap in place.
    expect(arena.add(recorded, recorded.root)).toBe(entry.account);
    expect(arena.missing(entry.account, 1)).toEqual([]);
    expect(treeDifference(arena, entry.account, recorded, recorded.root)).toBe('');
    expect(arena.missing(root, 10_000).length).toBeLessThan(before);
    expect(() => new Slice(arena, arena.find(arena.missing(root, 1)[0]!))).toThrow('the cell is pruned');
  });
});

const SPLIT_AFTER = 22;

describe.skipIf(missingNetwork !== '')(`updates of the recorded network made again${missingNetwork}`, () => {
  it.runIf(isLongRun)('can be applied, and have the same shape and size as those of the node', () => {
    const arena = new BuildingArena();
    let [same, ours, theirs, furthest, blocks] = [0, 0, 0, 0, 0];
    const load = (name: string): number => {
      const bag = recordedBag(name);
      return arena.add(bag, bag.root);
    };
    const follow = (start: number, shard: string, from: number, to: number): number => {
      let before = start;
      for (let seqno = from; seqno <= to; seqno++) {
        const recorded = arena.ref(load(`blocks/${shard}_${seqno}`), 2);
        const after = applyMerkleUpdate(arena, before, arena, recorded);
        const made =
          blocks++ % 20 === 0
            ? expectUpdateWorks(arena, before, after)
            : makeMerkleUpdate(arena, before, after);
        if (made === recorded) same++;
        for (const side of [0, 1]) {
          const [a, b] = [made, recorded].map((update) => countCells(arena, arena.ref(update, side)).all) as [
            number,
            number,
          ];
          ours += a;
          theirs += b;
          furthest = Math.max(furthest, Math.abs(a - b));
        }
        before = after;
      }
      return before;
    };
    follow(load(`states/-1_${WHOLE}_0`), `-1_${WHOLE}`, 1, 125);
    const whole = follow(load(`states/0_${WHOLE}_0`), `0_${WHOLE}`, 1, SPLIT_AFTER);
    for (const shard of ['4000000000000000', 'c000000000000000'])
      follow(whole, `0_${shard}`, SPLIT_AFTER + 1, LAST);
    expect(blocks).toBe(347);
    // A node prunes what it took over from cells that it had read; here it is what is equal.
    expect(same).toBeGreaterThan(40);
    expect(Math.abs(ours / theirs - 1)).toBeLessThan(0.05);
    expect(furthest).toBeLessThan(10);
  });
});
