import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { applyMerkleUpdate } from '../../../src/chain/state/merkle-updates.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { sampleChain } from '../../support/chain-builder/sample-chain.ts';
import { isLongRun } from '../../support/long-run.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { recordedBag, recordedNames } from '../support/recorded-network.ts';
import { createRewriter, rewriteBlock, rewriteQueueInfo, rewriteState } from '../support/rewrite.ts';

const DATA = new URL('../../../../shared/data/', import.meta.url);
const missing = existsSync(DATA) ? '' : ' (skipped: recorded blocks are not beside this checkout)';

const KIND_IN = /^in (ext|ihr|imm|fin|tr|deferred_\w+|discard_\w+)$/;
const KIND_OUT = /^out (ext|new|new_defer|imm|tr|tr_req|deferred_tr|deq|deq_imm|deq_short)$/;

/** Writes a block again and adds the counts of its parts. */
function rewrite(path: string, counts: Record<string, number>): void {
  const bag = readBoc(readFileSync(new URL(path, DATA)));
  const arena = new BuildingArena();
  const rewriter = createRewriter(arena);
  const root = rewriteBlock(rewriter, arena.add(bag, bag.root));
  expect(arena.hash(root)).toEqual(bag.hash(bag.root));
  for (const [kind, count] of Object.entries(rewriter.counts)) counts[kind] = (counts[kind] ?? 0) + count;
}

describe.skipIf(missing !== '')(`recorded blocks, rewritten,${missing}`, () => {
  it.runIf(isLongRun)('give the same cells part by part on a private network', () => {
    const counts: Record<string, number> = {};
    for (const name of readdirSync(new URL('realnet/blocks/', DATA)))
      rewrite(`realnet/blocks/${name}`, counts);
    expect(counts).toMatchObject({ block: 347, 'masterchain extra': 125, config: 2, 'shard hashes': 125 });
    const coverage = JSON.parse(readFileSync(new URL('realnet/coverage.json', DATA), 'utf8'));
    for (const kind of ['ext', 'imm', 'fin'])
      expect(counts[`in ${kind}`]).toBe(coverage[`block InMsg ${kind}`]);
    for (const kind of ['ext', 'imm', 'new', 'deq_imm', 'deq_short'])
      expect(counts[`out ${kind}`]).toBe(coverage[`block OutMsg ${kind}`]);
  });

  it.each([1, 2, 3, 4, 5])('give the same cells part by part on mainnet: block %i', (number) => {
    const counts: Record<string, number> = {};
    rewrite(`mainnet/block-${number}/block.bin`, counts);
    const expected = new URL(`mainnet/block-${number}/block.expected.json`, DATA);
    const { InMsgDescrLength, OutMsgDescrLength } = JSON.parse(readFileSync(expected, 'utf8'));
    const sum = (prefix: RegExp) =>
      Object.entries(counts).reduce((total, [kind, count]) => total + (prefix.test(kind) ? count : 0), 0);
    expect([sum(KIND_IN), sum(KIND_OUT)]).toEqual([InMsgDescrLength, OutMsgDescrLength]);
  });
});

const WHOLE = '8000000000000000';
const SPLIT_AFTER = 22;
const LAST = 122;
/** The only state that names its shard in a form that no block does: with the one that ends the name. */
const ODD_NAME = `0_${WHOLE}_0`;

describe.skipIf(missingNetwork !== '')(`recorded states, rewritten,${missingNetwork}`, () => {
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

describe('a network built with @ton/core, rewritten,', () => {
  const { masterchain, shardBlocks } = sampleChain();
  const blocks = [...masterchain, ...shardBlocks];
  const add = (arena: BuildingArena, core: Cell): number => {
    const bag = fromCoreCell(core);
    return arena.add(bag, bag.root);
  };

  it('has the same blocks', () => {
    const arena = new BuildingArena();
    const rewriter = createRewriter(arena);
    for (const { root, id } of blocks)
      expect(arena.hash(rewriteBlock(rewriter, add(arena, root)))).toEqual(id.rootHash);
    expect(rewriter.counts).toMatchObject({ block: blocks.length, config: 1, 'masterchain extra': 7 });
    expect(rewriter.counts['transactions one by one']).toBeGreaterThan(10);
  });

  it('has the same states', () => {
    const arena = new BuildingArena();
    const rewriter = createRewriter(arena);
    for (const { state } of blocks)
      expect(arena.hash(rewriteState(rewriter, add(arena, state)))).toEqual(state.hash());
    expect(rewriter.counts).toMatchObject({ accounts: blocks.length, 'masterchain state extra': 7 });
    expect(rewriter.counts.account).toBeGreaterThan(10);
  });
});
