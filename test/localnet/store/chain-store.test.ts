import { describe, expect, it } from 'vitest';
import { shortBlockName, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { createChainStore } from '../../../src/localnet/store/chain-store.ts';
import type { NewBlock } from '../../../src/localnet/store/parse-block.ts';
import { LEFT, RIGHT } from '../../support/chain-builder/sample-chain.ts';
import { sampleStore } from '../support/sample-store.ts';
import { updatingChain } from '../support/updating-chain.ts';

const BASECHAIN = 0;

describe('the chain store', () => {
  it('finds every block by id, with its bytes', () => {
    const { chain, store } = sampleStore();
    for (const block of [...chain.masterchain, ...chain.shardBlocks]) {
      const found = store.block(block.id);
      expect(found?.id).toEqual(block.id);
      expect(store.open(found!).bytes.equals(block.bytes)).toBe(true);
      expect(store.block({ ...block.id, fileHash: Buffer.alloc(32, 1) })).toBeUndefined();
    }
    expect(store.head).toEqual(chain.masterchain.at(-1)!.id);
  });

  it('builds the state after every block from its update, across a split and a merge', () => {
    const { zeroStates, steps, blocks } = updatingChain();
    const store = createChainStore({ zeroStates });
    for (const step of steps) store.append(step);
    expect(store.head.seqno).toBe(3);
    for (const { id, state } of blocks) {
      const made = store.state(id);
      if (typeof made !== 'object') throw new Error(`no state after ${shortBlockName(id)}`);
      expect(made.cells.hash(made.cell).equals(state.hash()), shortBlockName(id)).toBe(true);
    }
  });

  it('rejects a block whose update lacks part of the new state', () => {
    const { zeroStates, steps } = sampleStore(0);
    const store = createChainStore({ zeroStates });
    const bare = ({ load }: NewBlock) => ({ load });
    const [{ masterchain, shards }] = steps as [(typeof steps)[0]];
    expect(() => store.append({ masterchain: bare(masterchain), shards: shards.map(bare) })).toThrow(
      'the update of block (0,8000000000000000,1) leaves out parts of the state that are not known',
    );
    expect(store.head.seqno).toBe(0);
  });

  it('accepts full states', () => {
    const { chain, store } = sampleStore();
    for (const { id, state } of [chain.zeroState, ...chain.masterchain, ...chain.shardBlocks]) {
      const kept = store.state(id);
      if (typeof kept !== 'object') throw new Error(`no state after ${shortBlockName(id)}`);
      expect(kept.cells.hash(kept.cell).equals(state.hash()), shortBlockName(id)).toBe(true);
    }
  });

  it('reports which masterchain block references a shard block', () => {
    const { chain, store } = sampleStore();
    const broughtBy = chain.shardBlocks.map(({ id }) => store.block(id)!.masterchainSeqno);
    expect(broughtBy).toEqual([1, 2, 3, 3, 5, 5, 5, 5, 6]);
  });

  it('finds blocks by seqno in the shards around a prefix', () => {
    const { store } = sampleStore();
    const shardAt = (prefix: bigint, seqno: bigint) =>
      store.find({ workchain: BASECHAIN, prefix }, 'seqno', seqno)?.id.shard;
    expect(shardAt(LEFT, 2n)).toBe(WHOLE_SHARD);
    expect(shardAt(LEFT, 4n)).toBe(LEFT);
    expect(shardAt(RIGHT, 4n)).toBe(RIGHT);
    // As a prefix, the name of the whole workchain lies in its right half.
    expect(shardAt(WHOLE_SHARD, 4n)).toBe(RIGHT);
    expect(shardAt(LEFT, 6n)).toBe(WHOLE_SHARD);
    expect(shardAt(LEFT, 0n)).toBeUndefined();
    expect(shardAt(LEFT, 7n)).toBeUndefined();
  });

  it('finds the first block that ends at or after a time', () => {
    const { chain, store } = sampleStore();
    const left = { workchain: BASECHAIN, prefix: LEFT };
    const fourth = chain.shardBlocks.find(({ id }) => id.seqno === 4 && id.shard === LEFT)!;
    for (const lt of [fourth.endLt, fourth.startLt, fourth.endLt - 1n])
      expect(store.find(left, 'lt', lt)?.id).toEqual(fourth.id);
    expect(store.find(left, 'lt', fourth.endLt + 1n)?.id.seqno).toBe(5);
    expect(store.find(left, 'utime', BigInt(fourth.utime))?.id).toEqual(fourth.id);
    expect(store.find(left, 'utime', BigInt(fourth.utime - 1))?.id).toEqual(fourth.id);
    expect(store.find(left, 'lt', 0n)?.id.seqno).toBe(1);
    expect(store.find(left, 'lt', 2n ** 63n)).toBeUndefined();
    expect(store.find({ workchain: 7, prefix: LEFT }, 'lt', 0n)).toBeUndefined();
  });

  it('finds key blocks, including the zero state', () => {
    const { chain, store } = sampleStore();
    expect(store.lastKeyBlock(2)).toEqual(chain.zeroState.id);
    expect(store.lastKeyBlock(3).seqno).toBe(3);
    expect(store.lastKeyBlock(7).seqno).toBe(3);
    expect(store.nextKeyBlock(1)?.seqno).toBe(3);
    expect(store.nextKeyBlock(4)).toBeUndefined();
  });

  it('notifies listeners of new masterchain blocks until they unsubscribe', () => {
    const { steps, store } = sampleStore(0);
    const heads: number[] = [];
    const stop = store.onHead(({ seqno }) => heads.push(seqno));
    store.append(steps[0]!);
    store.append(steps[1]!);
    stop();
    store.append(steps[2]!);
    expect(heads).toEqual([1, 2]);
  });

  it('starts at the zero state', () => {
    const { chain, store } = sampleStore(0);
    expect(store.head).toEqual(chain.zeroState.id);
    expect(store.zeroStateBytes(store.head)).toEqual(chain.zeroState.bytes);
    expect(store.block(store.head)).toBeUndefined();
    expect(() => createChainStore({ zeroStates: [] })).toThrow('needs the zero state of its masterchain');
  });
});

describe('invalid steps', () => {
  it('are rejected as a whole', () => {
    const { chain, steps, store } = sampleStore(2);
    const [leftBlock] = steps[2]!.shards;
    const incomplete = { masterchain: steps[2]!.masterchain, shards: [leftBlock!] };
    expect(() => store.append(incomplete)).toThrow(
      'block (-1,8000000000000000,3) needs (0,c000000000000000,3), which is not there',
    );
    expect(() => store.append(steps[3]!)).toThrow('which is not there');
    expect(() => store.append(steps[1]!)).toThrow(
      'block (-1,8000000000000000,2) does not follow (-1,8000000000000000,2)',
    );
    expect(() => store.append({ masterchain: steps[2]!.shards[0]!, shards: [] })).toThrow('does not follow');
    expect(store.head.seqno).toBe(2);
    expect(store.block(chain.shardBlocks[2]!.id)).toBeUndefined();
    store.append(steps[2]!);
    expect(store.head.seqno).toBe(3);
  });
});

describe('memory limits of the chain store', () => {
  it('drop old states, but never those of the newest blocks', () => {
    const { chain, store } = sampleStore(undefined, { maxStateBytes: 1 });
    const all = [chain.zeroState, ...chain.masterchain, ...chain.shardBlocks];
    const kept = all
      .filter(({ id }) => typeof store.state(id) === 'object')
      .map(({ id }) => shortBlockName(id));
    expect(kept.length).toBeLessThan(all.length);
    expect(kept).toContain(shortBlockName(store.head));
    expect(kept).toContain(shortBlockName(chain.shardBlocks.at(-1)!.id));
    for (const { id, state } of all) {
      const tree = store.state(id);
      if (typeof tree === 'object') expect(tree.cells.hash(tree.cell)).toEqual(state.hash());
      else expect(tree).toBe('gone');
    }
  });

  it('allow old blocks without states, starting from a full one', () => {
    const { chain, steps, store } = sampleStore(0);
    const without = steps.slice(0, -1).map(({ masterchain, shards }) => ({
      masterchain: { ...masterchain, state: 'none' as const },
      shards: shards.map((block) => ({ ...block, state: 'none' as const })),
    }));
    for (const step of [...without, steps.at(-1)!]) store.append(step);
    expect(store.state(chain.masterchain[1]!.id)).toBe('gone');
    expect(typeof store.state(store.head)).toBe('object');
  });

  it('reject a state that does not belong to the block', () => {
    const { chain, steps, store } = sampleStore(0);
    const [{ masterchain, shards }] = steps as [(typeof steps)[0]];
    const wrong = { ...masterchain, state: chain.zeroState.bytes };
    expect(() => store.append({ masterchain: wrong, shards })).toThrow('leads to another state');
    expect(store.head.seqno).toBe(0);
  });

  it('reload the cells of a block that were dropped', () => {
    const bags = sampleStore(0).steps.map(({ masterchain }) => readBoc(masterchain.load()));
    const maxBlockBytes = Math.max(...bags.map(({ bytes, tableBytes }) => bytes.length + tableBytes));
    const { steps, store } = sampleStore(0, { maxBlockBytes });
    let loads = 0;
    for (const { masterchain, shards } of steps)
      store.append({
        masterchain: {
          ...masterchain,
          load: () => {
            loads++;
            return masterchain.load();
          },
        },
        shards,
      });
    expect(loads).toBe(steps.length);
    const first = store.masterchainBlock(1)!;
    const opened = store.open(first);
    expect(opened.cells.hash(opened.cell)).toEqual(first.id.rootHash);
    expect(loads).toBe(steps.length + 1);
    store.open(first);
    expect(loads).toBe(steps.length + 1);
  });
});
