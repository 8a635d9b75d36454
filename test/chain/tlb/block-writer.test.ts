import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellBuilder } from '../../../src/chain/boc/builder.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { shardPrefixBits } from '../../../src/chain/shards.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { makeMerkleUpdate } from '../../../src/chain/state/merkle-updates.ts';
import {
  ACCOUNT_TRANSACTIONS,
  buildShardAccountBlocks,
  SHARD_ACCOUNT_BLOCKS,
  transactionKey,
  walkTransactions,
} from '../../../src/chain/tlb/account-blocks.ts';
import {
  type BlockInfo,
  buildBlock,
  buildBlockExtra,
  buildBlockInfo,
  buildValueFlow,
  readBlockInfo,
  SHARD_IDENT,
  type ValueFlow,
} from '../../../src/chain/tlb/block.ts';
import { writeCurrencyCollection } from '../../../src/chain/tlb/currency.ts';
import { Dictionary } from '../../../src/chain/tlb/dictionary.ts';
import { buildInMsgDescr, buildOutMsgDescr } from '../../../src/chain/tlb/msg-descr.ts';
import { buildHashUpdate } from '../../../src/chain/tlb/transaction.ts';
import {
  amountOf,
  blockRef,
  cellOf,
  coins,
  hash,
  int,
  shard,
  uint,
  uint64,
} from '../support/arbitrary-parts.ts';
import { readBlock, readValueFlow } from '../support/block-readers.ts';

const bool = fc.boolean();
const info: fc.Arbitrary<BlockInfo> = fc
  .record({
    version: uint(32),
    notMaster: bool,
    afterMerge: bool,
    beforeSplit: bool,
    afterSplit: bool,
    wantSplit: bool,
    wantMerge: bool,
    keyBlock: bool,
    vertSeqnoIncr: bool,
    flags: uint(1),
    seqno: uint(32),
    vertSeqno: uint(32),
    workchain: int(32),
    shard,
    genUtime: uint(32),
    startLt: uint64,
    endLt: uint64,
    genValidatorListHashShort: uint(32),
    genCatchainSeqno: uint(32),
    minRefMcSeqno: uint(32),
    prevKeyBlockSeqno: uint(32),
    genSoftware: fc.record({ version: uint(32), capabilities: uint64 }),
    masterRef: blockRef,
    prevRefs: fc.tuple(blockRef, blockRef),
    prevVertRef: blockRef,
  })
  .map((all) => ({
    ...all,
    genSoftware: all.flags === 1 ? all.genSoftware : undefined,
    masterRef: all.notMaster ? all.masterRef : undefined,
    prevRefs: all.afterMerge ? all.prevRefs : all.prevRefs.slice(0, 1),
    prevVertRef: all.vertSeqnoIncr ? all.prevVertRef : undefined,
  }));

describe('buildBlockInfo', () => {
  it('writes what readBlockInfo reads', () => {
    const arena = new BuildingArena();
    fc.assert(
      fc.property(info, (written) => {
        expect(readBlockInfo(arena, buildBlockInfo(arena, written))).toEqual(written);
      }),
    );
  });

  it('rejects flags that do not match the fields of the header', () => {
    const arena = new BuildingArena();
    fc.assert(
      fc.property(info, (good) => {
        const { notMaster, afterMerge, vertSeqnoIncr, flags } = good;
        for (const wrong of [
          { notMaster: !notMaster },
          { afterMerge: !afterMerge },
          { vertSeqnoIncr: !vertSeqnoIncr },
          { flags: 1 - flags },
        ])
          expect(() => buildBlockInfo(arena, { ...good, ...wrong })).toThrow('do not match');
      }),
      { numRuns: 10 },
    );
  });
});

describe('SHARD_IDENT', () => {
  it('writes what it reads', () => {
    const arena = new BuildingArena();
    fc.assert(
      fc.property(shard, int(32), (name, workchain) => {
        const builder = new CellBuilder();
        SHARD_IDENT.write(builder, { workchain, shard: name }, arena);
        const slice = new Slice(arena, arena.build(builder));
        expect(SHARD_IDENT.read(slice)).toEqual({ workchain, shard: name });
        slice.end();
      }),
    );
  });

  it('uses shardPrefixBits, which rejects other numbers', () => {
    expect(shardPrefixBits(-(2n ** 63n))).toBe(0);
    expect(shardPrefixBits(2n ** 62n)).toBe(1);
    expect(shardPrefixBits(8n)).toBe(60);
    for (const wrong of [0n, 4n, 1n]) expect(() => shardPrefixBits(wrong)).toThrow('not a shard id');
  });
});

describe('buildValueFlow', () => {
  it('writes both versions, which readValueFlow reads', () => {
    const arena = new BuildingArena();
    const amounts = fc.tuple(...Array.from({ length: 10 }, () => coins));
    fc.assert(
      fc.property(amounts, bool, (grams, isOld) => {
        const [a, b, c, d, e, f, g, h, i, j] = grams.map((one, n) => amountOf(arena, one, { [n]: 5n }));
        const flow: ValueFlow = {
          fromPrevBlock: a!,
          toNextBlock: b!,
          imported: c!,
          exported: d!,
          feesCollected: e!,
          burned: isOld ? undefined : f!,
          feesImported: g!,
          recovered: h!,
          created: i!,
          minted: j!,
        };
        expect(readValueFlow(arena, buildValueFlow(arena, flow))).toEqual(flow);
      }),
    );
  });
});

/** As much of a transaction as tells its fees. */
function transactionWith(arena: BuildingArena, account: Buffer, lt: bigint, fees: bigint): number {
  const builder = new CellBuilder().uint(0b0111, 4).hash(account).uint64(lt).hash(account).uint64(0n);
  builder.uint(1, 32).uint(0, 15).uint(0b1010, 4).ref(cellOf(arena, 1));
  writeCurrencyCollection(builder, amountOf(arena, fees));
  return arena.build(builder);
}

describe('SHARD_ACCOUNT_BLOCKS', () => {
  it('holds transactions by account and logical time, with the sum of fees', () => {
    const arena = new BuildingArena();
    const transactions = new Dictionary(arena, ACCOUNT_TRANSACTIONS);
    const blocks = new Dictionary(arena, SHARD_ACCOUNT_BLOCKS);
    const expected: string[] = [];
    let [root, fees] = [-1, 0n];
    for (const fill of [1, 2, 200]) {
      const account = Buffer.alloc(32, fill);
      let own = -1;
      for (let lt = 10n; lt < 10n + BigInt(fill % 5) + 1n; lt++) {
        fees += lt;
        own = transactions.set(own, transactionKey(lt), transactionWith(arena, account, lt, lt));
        expected.push(`${fill} ${lt}`);
      }
      const stateUpdate = buildHashUpdate(arena, Buffer.alloc(32, 1), Buffer.alloc(32, 2));
      root = blocks.set(root, account, { account, transactions: own, stateUpdate });
    }
    const cell = buildShardAccountBlocks(arena, root);
    const found: string[] = [];
    walkTransactions(arena, cell, (account, lt) => found.push(`${account[0]} ${lt}`));
    expect(found).toEqual(expected);
    expect(blocks.extra(root)).toEqual(amountOf(arena, fees));
  });
});

describe('buildBlock', () => {
  it('writes what readBlock reads', () => {
    const arena = new BuildingArena();
    const [header] = fc.sample(info, { numRuns: 1, seed: 1 });
    const nothing = amountOf(arena, 0n);
    const flow: ValueFlow = {
      fromPrevBlock: amountOf(arena, 5n),
      toNextBlock: amountOf(arena, 5n),
      imported: nothing,
      exported: nothing,
      feesCollected: nothing,
      burned: nothing,
      feesImported: nothing,
      recovered: nothing,
      created: nothing,
      minted: nothing,
    };
    const [randSeed, createdBy] = fc.sample(hash, { numRuns: 2, seed: 1 }) as [Buffer, Buffer];
    const extra = {
      inMsgDescr: buildInMsgDescr(arena, -1, 14),
      outMsgDescr: buildOutMsgDescr(arena, -1, 14),
      accountBlocks: buildShardAccountBlocks(arena, -1),
      randSeed,
      createdBy,
      masterchain: -1,
    };
    const [before, after] = [1, 2].map((tag) =>
      arena.build(new CellBuilder().uint(tag, 8).ref(cellOf(arena, 9))),
    );
    const root = buildBlock(arena, {
      globalId: -777,
      info: buildBlockInfo(arena, header!),
      valueFlow: buildValueFlow(arena, flow),
      stateUpdate: makeMerkleUpdate(arena, before!, after!),
      extra: buildBlockExtra(arena, extra),
    });
    const block = readBlock(arena, root);
    expect(block).toMatchObject({
      globalId: -777,
      info: header,
      valueFlow: flow,
      extra,
      masterchain: undefined,
    });
    expect(block.stateUpdate.newHash).toEqual(arena.hash(after!));
    expect(arena.levelMask(root)).toBe(0);
  });
});
