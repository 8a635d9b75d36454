import { beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { lookUp } from '../../../src/chain/tlb/dictionary.ts';
import {
  lookUpOldMcBlock,
  readMcStateExtra,
  readMcStateInfo,
} from '../../../src/chain/tlb/masterchain-state.ts';
import { readAccountDispatchQueue, readOutMsgQueueInfo } from '../../../src/chain/tlb/queues.ts';
import { LOWEST_LT, storeAugmentedE } from '../../support/chain-builder/cells.ts';
import { masterchainStateExtra } from '../../support/chain-builder/states.ts';
import { makePart } from '../support/proofs.ts';

const hash = (fill: number): Buffer => Buffer.alloc(32, fill);

function oldBlock(seqno: number, keyBlock: boolean) {
  const id = { workchain: -1, shard: -(2n ** 63n), seqno, rootHash: hash(seqno), fileHash: hash(seqno + 1) };
  return { id, endLt: BigInt(seqno) * 1000n, keyBlock };
}

function extraWith(seqnos: Iterable<number>, isKey: (seqno: number) => boolean): Cell {
  const oldBlocks = [...seqnos].map((seqno) => oldBlock(seqno, isKey(seqno)));
  const config = new Map([[34, beginCell().storeUint(5, 8).endCell()]]);
  const keys = oldBlocks.filter(({ keyBlock }) => keyBlock);
  return masterchainStateExtra({ shards: [], config, oldBlocks, lastKeyBlock: keys.at(-1) });
}

/** The earlier blocks that a state with them names. */
function oldBlocksOf(extra: Cell) {
  const bag = fromCoreCell(extra);
  const { prevBlocks } = readMcStateInfo(bag, readMcStateExtra(bag, bag.root).info);
  return { bag, ...prevBlocks };
}

describe('readMcStateExtra and readMcStateInfo', () => {
  it('read all fields', () => {
    const bag = fromCoreCell(extraWith([1, 2, 3], (seqno) => seqno === 2));
    const extra = readMcStateExtra(bag, bag.root);
    expect(extra).toMatchObject({ shardHashes: -1, configAddress: hash(0x55), globalBalance: { grams: 0n } });
    expect(bag.bits[configParam(bag, extra.config, 34)]).toBe(8);
    const info = readMcStateInfo(bag, extra.info);
    expect(info).toMatchObject({
      validatorListHashShort: 0,
      catchainSeqno: 0,
      nextCatchainUpdated: false,
      prevBlocks: { hasKeyBlock: true, maxEndLt: 3000n },
      afterKeyBlock: false,
      lastKeyBlock: { seqno: 2, endLt: 2000n, rootHash: hash(2), fileHash: hash(3) },
      blockCreateStats: { root: -1, augmented: false },
    });
  });

  it('read other flags and statistics', () => {
    const numbers = beginCell().storeUint(7, 32).storeUint(8, 32).storeBit(1);
    const blocks = beginCell().storeBit(0).storeBit(0).storeUint(9, 64);
    const common = beginCell().storeBuilder(numbers).storeBuilder(blocks).storeBit(1).storeBit(0);
    const read = (flags: number, stats = beginCell()) => {
      const bag = fromCoreCell(
        beginCell().storeUint(flags, 16).storeBuilder(common).storeBuilder(stats).endCell(),
      );
      return readMcStateInfo(bag, bag.root);
    };
    expect(read(0)).toEqual({
      validatorListHashShort: 7,
      catchainSeqno: 8,
      nextCatchainUpdated: true,
      prevBlocks: { root: -1, hasKeyBlock: false, maxEndLt: 9n },
      afterKeyBlock: true,
      lastKeyBlock: undefined,
      blockCreateStats: undefined,
    });
    const augmented = beginCell().storeUint(0x34, 8).storeBit(0).storeUint(0, 32);
    expect(read(1, augmented).blockCreateStats).toEqual({ root: -1, augmented: true });
    expect(() => read(1, beginCell().storeUint(0x18, 8))).toThrow(CellError);
    expect(() => read(2)).toThrow(CellError);
    const wrong = fromCoreCell(beginCell().storeUint(0xcc27, 16).endCell());
    expect(() => readMcStateExtra(wrong, wrong.root)).toThrow(CellError);
  });
});

describe('lookUpOldMcBlock', () => {
  it('finds earlier blocks by seqno', () => {
    const { bag, root } = oldBlocksOf(extraWith([0, 1, 5, 200], (seqno) => seqno === 5));
    expect(lookUpOldMcBlock(bag, root, 5)).toEqual({
      isKeyBlock: true,
      endLt: 5000n,
      seqno: 5,
      rootHash: hash(5),
      fileHash: hash(6),
    });
    expect(lookUpOldMcBlock(bag, root, 200)).toMatchObject({ isKeyBlock: false, seqno: 200 });
    expect(lookUpOldMcBlock(bag, root, 6)).toBeUndefined();
    expect(lookUpOldMcBlock(bag, -1, 6)).toBeUndefined();
  });

  it('throws only where a pruned part is needed', () => {
    const { bag, root } = oldBlocksOf(extraWith([1, 2, 3, 90, 100], (seqno) => seqno === 3));
    const keep = (cell: number) => cell === root;
    const part = makePart({ cells: bag, root, shows: keep });
    expect(() => lookUpOldMcBlock(part.bag, part.root, 3)).toThrow(PrunedCellError);
    expect(lookUpOldMcBlock(part.bag, part.root, 2 ** 31)).toBeUndefined();
  });
});

describe('readOutMsgQueueInfo', () => {
  it('reads the size and the dispatch queue', () => {
    const messages = beginCell().storeUint(1, 8).endCell();
    const queue = beginCell().storeBit(1).storeRef(messages).storeUint(3, 48);
    const entry = { key: BigInt(`0x${hash(9).toString('hex')}`), extra: 50n, value: queue };
    const info = storeAugmentedE(beginCell(), [], 352, LOWEST_LT).storeBit(0).storeBit(1).storeUint(0, 4);
    storeAugmentedE(info, [entry], 256, LOWEST_LT)
      .storeBit(1)
      .storeUint(2 ** 40, 48);
    const bag = fromCoreCell(info.endCell());
    const { outQueue, processedInfo, extra } = readOutMsgQueueInfo(bag, bag.root);
    expect([outQueue, processedInfo, extra!.outQueueSize]).toEqual([-1, -1, 2 ** 40]);
    const deferred = readAccountDispatchQueue(lookUp(bag, extra!.dispatchQueue, 256, hash(9))!);
    expect(deferred.count).toBe(3);
    expect(bag.hash(deferred.messages)).toEqual(messages.hash());
  });

  it('reads a queue without extra', () => {
    const old = storeAugmentedE(beginCell(), [], 352, LOWEST_LT)
      .storeMaybeRef(beginCell().endCell())
      .storeBit(0);
    const bag = fromCoreCell(old.endCell());
    expect(readOutMsgQueueInfo(bag, bag.root)).toEqual({ outQueue: -1, processedInfo: 1, extra: undefined });
    const unknown = storeAugmentedE(beginCell(), [], 352, LOWEST_LT).storeUint(0b011111, 6).endCell();
    const wrong = fromCoreCell(unknown);
    expect(() => readOutMsgQueueInfo(wrong, wrong.root)).toThrow(CellError);
  });
});
