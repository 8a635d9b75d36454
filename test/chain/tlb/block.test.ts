import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import { childShards, parentShard } from '../../../src/chain/shards.ts';
import { walkTransactions } from '../../../src/chain/tlb/account-blocks.ts';
import {
  previousBlocks,
  readBlockExtra,
  readBlockInfo,
  readBlockRoot,
  readStateUpdate,
} from '../../../src/chain/tlb/block.ts';
import { merkleProof } from '../../support/chain-builder/cells.ts';
import { readWhole } from '../support/block-checks.ts';
import { readBlock, readBlockTransactions } from '../support/block-readers.ts';
import {
  blockRef,
  sampleBlock,
  sampleMasterBlock,
  sampleTransactions,
  shardTop,
  WHOLE,
} from '../support/block-samples.ts';
import { bagFrom } from '../support/built-cells.ts';
import { expectAsCore } from '../support/transactions-as-core.ts';

const LEFT = 2n ** 62n;
const RIGHT = -(2n ** 62n);

describe('readBlock', () => {
  const transactions = sampleTransactions(9, 5);
  const built = sampleBlock(transactions);
  const bag = readBoc(built.bytes);

  it('reads the header of a generated block', () => {
    const { block } = readWhole(bag);
    expect(bag.hash(bag.root)).toEqual(built.id.rootHash);
    expect(block.globalId).toBe(-3);
    expect(block.info).toMatchObject({
      version: 0,
      notMaster: true,
      keyBlock: false,
      flags: 0,
      seqno: 42,
      workchain: 0,
      shard: WHOLE,
      genUtime: 1_700_000_000,
      startLt: 1_000_000n,
      endLt: 1_000_100n,
      genSoftware: undefined,
      prevVertRef: undefined,
    });
    const { id, endLt } = blockRef(-1, WHOLE, 77);
    expect(block.info.masterRef).toEqual({
      endLt,
      seqno: 77,
      rootHash: id.rootHash,
      fileHash: id.fileHash,
    });
    expect(previousBlocks(block.info)).toEqual([blockRef(0, WHOLE, 41).id]);
    expect(block.masterchain).toBeUndefined();
  });

  it('reads transactions by account and logical time with the same fields as @ton/core', () => {
    const found = readBlockTransactions(bag, bag.root);
    const order = [...transactions].sort(
      (a, b) => a.account.hash.compare(b.account.hash) || Number(a.lt - b.lt),
    );
    expect(found.map(({ hash }) => hash)).toEqual(order.map(({ hash }) => hash));
    expect(found.map(({ lt }) => lt)).toEqual(order.map(({ lt }) => lt));
    const walked: unknown[] = [];
    const { accountBlocks } = readBlockExtra(bag, readBlockRoot(bag, bag.root).extra);
    walkTransactions(bag, accountBlocks, (account, lt, cell) =>
      walked.push([Buffer.from(account), lt, bag.hash(cell)]),
    );
    expect(walked).toEqual(order.map(({ account, lt, hash }) => [account.hash, lt, hash]));
    expectAsCore(bag, found, built.bytes);
  });

  it('reads an empty block', () => {
    const empty = readBoc(sampleBlock([]).bytes);
    expect(readBlockTransactions(empty, empty.root)).toEqual([]);
  });
});

describe('previousBlocks', () => {
  const previousOf = (parts: Parameters<typeof sampleBlock>[1]) => {
    const bag = readBoc(sampleBlock([], parts).bytes);
    return previousBlocks(readBlock(bag, bag.root).info);
  };

  it('returns both halves after a merge, left one first', () => {
    const prev = [blockRef(0, LEFT, 8), blockRef(0, RIGHT, 9)];
    expect(previousOf({ prev })).toEqual(prev.map(({ id }) => id));
  });

  it('returns a block of the parent shard after a split', () => {
    expect(previousOf({ prev: [blockRef(0, WHOLE, 8)], shard: RIGHT, afterSplit: true })).toEqual([
      blockRef(0, WHOLE, 8).id,
    ]);
  });

  it('agrees with childShards and parentShard', () => {
    expect(childShards(WHOLE)).toEqual([LEFT, RIGHT]);
    for (const shard of [WHOLE, LEFT, RIGHT, 0x0d83800000000000n])
      for (const half of childShards(shard)) expect(parentShard(half)).toBe(shard);
    expect(() => parentShard(WHOLE)).toThrow(CellError);
  });
});

describe('readBlockInfo', () => {
  it('reads gen_software and prev_vert_ref', () => {
    const ref = beginCell().storeUint(5, 64).storeUint(6, 32).storeUint(7, 256).storeUint(8, 256).endCell();
    const builder = beginCell()
      .storeUint(0x9bc7a987, 32)
      .storeUint(3, 32)
      .storeUint(0b0000_1111, 8)
      .storeUint(1, 8)
      .storeUint(2 ** 32 - 1, 32)
      .storeUint(9, 32)
      .storeUint(0, 8)
      .storeInt(-1, 32)
      .storeUint(0, 64)
      .storeUint(10, 32)
      .storeUint(11, 64)
      .storeUint(2n ** 64n - 1n, 64)
      .storeUint(0xfedcba98, 32)
      .storeUint(13, 32)
      .storeUint(14, 32)
      .storeUint(15, 32)
      .storeUint(0xc4, 8)
      .storeUint(14, 32)
      .storeUint(238, 64)
      .storeRef(ref)
      .storeRef(ref);
    const bag = bagFrom(builder);
    const reference = { endLt: 5n, seqno: 6, rootHash: bytes(7), fileHash: bytes(8) };
    expect(readBlockInfo(bag, bag.root)).toEqual({
      version: 3,
      notMaster: false,
      afterMerge: false,
      beforeSplit: false,
      afterSplit: false,
      wantSplit: true,
      wantMerge: true,
      keyBlock: true,
      vertSeqnoIncr: true,
      flags: 1,
      seqno: 2 ** 32 - 1,
      vertSeqno: 9,
      workchain: -1,
      shard: WHOLE,
      genUtime: 10,
      startLt: 11n,
      endLt: 2n ** 64n - 1n,
      genValidatorListHashShort: 0xfedcba98,
      genCatchainSeqno: 13,
      minRefMcSeqno: 14,
      prevKeyBlockSeqno: 15,
      genSoftware: { version: 14, capabilities: 238n },
      masterRef: undefined,
      prevRefs: [reference],
      prevVertRef: reference,
    });
  });
});

describe('a proof of a block', () => {
  const transactions = sampleTransactions(4, 2);
  const built = sampleBlock(transactions);

  it('of the header throws only when a pruned part is read', () => {
    const [info, flow, update, extra] = built.root.refs;
    const bag = readBoc(merkleProof(built.root, [flow!, update!, extra!]).toBoc());
    const top = bag.ref(bag.root, 0);
    expect(bag.hash(top, 0)).toEqual(built.id.rootHash);
    const root = readBlockRoot(bag, top);
    expect(readBlockInfo(bag, root.info).seqno).toBe(42);
    expect(bag.hash(root.info)).toEqual(info!.hash());
    expect(() => readStateUpdate(bag, root.stateUpdate)).toThrow(PrunedCellError);
    expect(() => readBlockExtra(bag, root.extra)).toThrow(PrunedCellError);
    expect(() => readBlock(bag, top)).toThrow(PrunedCellError);
  });

  it('of the list of transactions has the hashes of pruned transactions', () => {
    const bag = readBoc(
      merkleProof(
        built.root,
        transactions.map(({ cell }) => cell),
      ).toBoc(),
    );
    const root = readBlockRoot(bag, bag.ref(bag.root, 0));
    const found: Buffer[] = [];
    walkTransactions(bag, readBlockExtra(bag, root.extra).accountBlocks, (_account, _lt, cell) =>
      found.push(bag.hash(cell, 0)),
    );
    expect(new Set(found.map(String))).toEqual(new Set(transactions.map(({ hash }) => String(hash))));
    expect(() => readBlockTransactions(bag, bag.ref(bag.root, 0))).toThrow(PrunedCellError);
  });

  it('of some transactions of an account throws at the others, or skips them if asked', () => {
    const one = sampleBlock(sampleTransactions(1, 8));
    const account = one.root.refs[3]!.refs[2]!.refs[0]!;
    const bag = readBoc(merkleProof(one.root, [account.refs[1]!]).toBoc());
    const { accountBlocks } = readBlockExtra(bag, readBlockRoot(bag, bag.ref(bag.root, 0)).extra);
    const lts: bigint[] = [];
    walkTransactions(bag, accountBlocks, (_account, lt) => lts.push(lt), 'skip');
    expect(lts).toEqual(lts.map((_, i) => 1_000_000n + BigInt(i)));
    expect(lts.length).toBeGreaterThan(0);
    expect(lts.length).toBeLessThan(8);
    expect(() => walkTransactions(bag, accountBlocks, () => {})).toThrow(PrunedCellError);
  });

  it('of some accounts throws at the others, or skips them if asked', () => {
    const accounts = built.root.refs[3]!.refs[2]!.refs[0]!;
    const bag = readBoc(merkleProof(built.root, [accounts.refs[0]!]).toBoc());
    const { accountBlocks } = readBlockExtra(bag, readBlockRoot(bag, bag.ref(bag.root, 0)).extra);
    let count = 0;
    const visit = () => {
      count++;
    };
    expect(() => walkTransactions(bag, accountBlocks, visit)).toThrow(PrunedCellError);
    count = 0;
    walkTransactions(bag, accountBlocks, visit, 'skip');
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(transactions.length);
  });
});

const bytes = (n: number): Buffer => Buffer.from(n.toString(16).padStart(64, '0'), 'hex');

describe('malformed blocks', () => {
  it.each([
    ['another cell', beginCell().storeUint(0x9023afe2, 32)],
    ['an empty cell', beginCell()],
    ['a block without parts', beginCell().storeUint(0x11ef55aa, 32).storeInt(-239, 32)],
  ])('%s throws a CellError', (_name, builder) => {
    const bag = bagFrom(builder);
    expect(() => readBlock(bag, bag.root)).toThrow(CellError);
    expect(() => readBlockTransactions(bag, bag.root)).toThrow(CellError);
  });

  it('with parts in a wrong place throw a CellError', () => {
    const bag = readBoc(sampleMasterBlock([shardTop(0, WHOLE, 3)]).bytes);
    const root = readBlockRoot(bag, bag.root);
    expect(() => readBlockInfo(bag, root.extra)).toThrow(CellError);
    expect(() => readBlockExtra(bag, root.info)).toThrow(CellError);
    expect(() => readStateUpdate(bag, root.info)).toThrow(CellError);
  });
});
