import { type Builder, beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import { merkleProof } from '../../support/chain-builder/cells.ts';

const WHOLE = -(2n ** 63n);
const amounts = (first: number) => (builder: Builder) =>
  builder
    .storeCoins(first)
    .storeBit(0)
    .storeCoins(first + 1)
    .storeBit(0);
const fees = beginCell().store(amounts(30)).endCell();

/** A leaf of either form. */
function leaf(
  tag: 0xa | 0xb,
  seqno: number,
  splitMerge: (builder: Builder) => void = (b) => b.storeBit(0),
): Cell {
  const builder = beginCell().storeBit(0).storeUint(tag, 4).storeUint(seqno, 32).storeUint(2, 32);
  builder.storeUint(3, 64).storeUint(4, 64).storeUint(5, 256).storeUint(6, 256).storeUint(0b10101_000, 8);
  builder.storeUint(7, 32).storeInt(-8, 64).storeUint(9, 32).storeUint(10, 32).store(splitMerge);
  return (tag === 0xa ? builder.storeRef(fees) : builder.store(amounts(30))).endCell();
}

const fork = (left: Cell, right: Cell): Cell =>
  beginCell().storeBit(1).storeRef(left).storeRef(right).endCell();

function dictionaryOf(trees: Record<number, Cell>): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const [workchain, tree] of Object.entries(trees)) dictionary.set(Number(workchain), tree);
  return beginCell().storeDictDirect(dictionary).endCell();
}

function read(root: Cell) {
  const bag = readBoc(root.toBoc());
  return readShardHashes(bag, bag.root);
}

const names = (shards: ReturnType<typeof read>) =>
  shards.map(
    ({ workchain, shard, seqno }) => `${workchain}:${BigInt.asUintN(64, shard).toString(16)}:${seqno}`,
  );

describe('readShardHashes', () => {
  it.each([0xa, 0xb] as const)('reads all fields of a shard description with the tag %i', (tag) => {
    expect(read(dictionaryOf({ 0: leaf(tag, 1) }))).toEqual([
      {
        workchain: 0,
        shard: WHOLE,
        seqno: 1,
        regMcSeqno: 2,
        startLt: 3n,
        endLt: 4n,
        rootHash: Buffer.from('5'.padStart(64, '0'), 'hex'),
        fileHash: Buffer.from('6'.padStart(64, '0'), 'hex'),
        beforeSplit: true,
        beforeMerge: false,
        wantSplit: true,
        wantMerge: false,
        nxCcUpdated: true,
        flags: 0,
        nextCatchainSeqno: 7,
        nextValidatorShard: -8n,
        minRefMcSeqno: 9,
        genUtime: 10,
        splitMergeAt: undefined,
        sums: { feesCollected: { grams: 30n, extra: -1 }, fundsCreated: { grams: 31n, extra: -1 } },
      },
    ]);
  });

  it.each([
    ['split', 0b10],
    ['merge', 0b11],
  ])('reads a shard that is about to %s', (kind, bits) => {
    const at = (builder: Builder) => builder.storeUint(bits, 2).storeUint(11, 32).storeUint(12, 32);
    const [shard] = read(dictionaryOf({ 0: leaf(0xa, 1, at) }));
    expect(shard?.splitMergeAt).toEqual({ kind, utime: 11, interval: 12 });
    expect(shard?.sums?.fundsCreated.grams).toBe(31n);
  });

  it('sorts workchains by their signed number and shards from left to right', () => {
    const tree = fork(fork(leaf(0xa, 1), leaf(0xb, 2)), leaf(0xa, 3));
    const shards = read(dictionaryOf({ 0: tree, 7: leaf(0xa, 4), [-5]: leaf(0xa, 5) }));
    expect(names(shards)).toEqual([
      '-5:8000000000000000:5',
      '0:2000000000000000:1',
      '0:6000000000000000:2',
      '0:c000000000000000:3',
      '7:8000000000000000:4',
    ]);
  });

  it('returns an empty list without shards', () => {
    const bag = readBoc(beginCell().endCell().toBoc());
    expect(readShardHashes(bag, -1)).toEqual([]);
  });
});

describe('readShardHashes of a proof', () => {
  const left = leaf(0xa, 1);
  const root = dictionaryOf({ 0: fork(left, leaf(0xa, 2)) });

  it('returns undefined for pruned sums', () => {
    const bag = readBoc(merkleProof(root, [fees]).toBoc());
    expect(readShardHashes(bag, bag.ref(bag.root, 0)).map(({ sums }) => sums)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('throws at pruned shards, or skips them if asked', () => {
    const bag = readBoc(merkleProof(root, [left]).toBoc());
    expect(() => readShardHashes(bag, bag.ref(bag.root, 0))).toThrow(PrunedCellError);
    expect(names(readShardHashes(bag, bag.ref(bag.root, 0), 'skip'))).toEqual(['0:c000000000000000:2']);
  });
});

describe('readShardHashes of a malformed tree', () => {
  it('rejects a leaf with an unknown tag', () => {
    expect(() => read(dictionaryOf({ 0: beginCell().storeUint(0b0_1100, 5).endCell() }))).toThrow(CellError);
  });

  it('rejects a tree deeper than the longest shard prefix', () => {
    let tree = leaf(0xa, 1);
    for (let i = 0; i < 61; i++) tree = fork(tree, leaf(0xa, 2));
    expect(() => read(dictionaryOf({ 0: tree }))).toThrow('too deep');
  });

  it('rejects a tree of shared cells with more shards than cells', () => {
    let tree = leaf(0xa, 1);
    for (let i = 0; i < 59; i++) tree = fork(tree, tree);
    expect(() => read(dictionaryOf({ 0: tree }))).toThrow('shares cells');
  });

  it('rejects a root that is not a dictionary', () => {
    expect(() => read(beginCell().endCell())).toThrow(CellError);
  });
});
