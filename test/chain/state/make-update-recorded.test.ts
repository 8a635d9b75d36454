import { describe, expect, it } from 'vitest';
import { applyMerkleUpdate } from '../../../src/chain/state/apply-merkle-update.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { makeMerkleUpdate } from '../../../src/chain/state/make-merkle-update.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { countCells, expectUpdateWorks } from './check-update.ts';
import { recordedBag } from './recorded-network.ts';

const WHOLE = '8000000000000000';
const SPLIT_AFTER = 22;
const LAST = 122;

describe.skipIf(missingNetwork !== '')(`updates of the recorded network made again${missingNetwork}`, () => {
  it('work, and are of the form and size of those that the node made', () => {
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
