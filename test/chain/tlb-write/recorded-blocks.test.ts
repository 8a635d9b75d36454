import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { rewriteBlock } from './rewrite-block.ts';
import { createRewriter } from './rewriter.ts';

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

describe.skipIf(missing !== '')(`recorded blocks written again${missing}`, () => {
  it('give the same cells part by part on a private network', () => {
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
