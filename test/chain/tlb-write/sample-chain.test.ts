import type { Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { sampleChain } from '../../support/chain-builder/sample-chain.ts';
import { rewriteBlock } from './rewrite-block.ts';
import { rewriteState } from './rewrite-state.ts';
import { createRewriter } from './rewriter.ts';

describe('a network made with @ton/core and written again', () => {
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
