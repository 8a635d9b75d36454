import { describe, expect, it } from 'vitest';
import { applyMerkleUpdate } from '../../../src/chain/state/apply-merkle-update.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { recordedBag, recordedNames } from '../state/recorded-network.ts';
import { rewriteQueueInfo, rewriteState } from './rewrite-state.ts';
import { createRewriter } from './rewriter.ts';

const WHOLE = '8000000000000000';
const SPLIT_AFTER = 22;
const LAST = 122;
/** The only state that names its shard in a form that no block does: with the one that ends the name. */
const ODD_NAME = `0_${WHOLE}_0`;

describe.skipIf(missingNetwork !== '')(`recorded states written again${missingNetwork}`, () => {
  const names = missingNetwork === '' ? recordedNames('states') : [];

  it('are five', () => {
    expect(names).toHaveLength(5);
  });

  it.each(names)('give the same cells part by part: %s', (name) => {
    const bag = recordedBag(`states/${name}`);
    const arena = new BuildingArena();
    const root = arena.add(bag, bag.root);
    const rewritten = rewriteState(createRewriter(arena), root);
    if (name === ODD_NAME) expect(readShardState(arena, rewritten)).toEqual(readShardState(arena, root));
    else expect(rewritten).toBe(root);
  });

  it('give the same queues after every block', () => {
    const arena = new BuildingArena();
    const rewriter = createRewriter(arena);
    const follow = (start: number, shard: string, from: number, to: number): number => {
      let root = start;
      for (let seqno = from; seqno <= to; seqno++) {
        const block = recordedBag(`blocks/${shard}_${seqno}`);
        root = applyMerkleUpdate(arena, root, block, block.ref(block.root, 2));
        rewriteQueueInfo(rewriter, readShardState(arena, root).outMsgQueueInfo);
      }
      return root;
    };
    const load = (name: string): number => {
      const bag = recordedBag(`states/${name}`);
      return arena.add(bag, bag.root);
    };
    follow(load(`-1_${WHOLE}_0`), `-1_${WHOLE}`, 1, 125);
    const whole = follow(load(ODD_NAME), `0_${WHOLE}`, 1, SPLIT_AFTER);
    for (const half of ['4000000000000000', 'c000000000000000'])
      follow(whole, `0_${half}`, SPLIT_AFTER + 1, LAST);
    expect(rewriter.counts['out queue info']).toBe(347);
    expect(rewriter.counts['waiting message']).toBeGreaterThan(80);
  });
});
