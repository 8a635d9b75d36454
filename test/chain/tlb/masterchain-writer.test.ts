import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { childShards } from '../../../src/chain/shards.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { CONFIG, configParam } from '../../../src/chain/tlb/config.ts';
import { Dictionary, int32Key } from '../../../src/chain/tlb/dictionary.ts';
import {
  buildMasterchainExtra,
  buildMasterchainMessages,
  type MasterchainExtra,
  readMasterchainExtra,
  readMasterchainMessages,
  SHARD_FEES,
  shardFeesKey,
} from '../../../src/chain/tlb/masterchain-block.ts';
import { buildShardHashes, readShardHashes, type ShardDescr } from '../../../src/chain/tlb/shard-hashes.ts';
import { buildValidatorSet, readValidatorSet } from '../../../src/chain/tlb/validators.ts';
import { amountOf, blockId, cellOf, hash, uint } from '../support/arbitrary-parts.ts';
import { buildSignaturePairs, readSignaturePairs } from '../support/block-signatures.ts';
import { readShardFees } from '../support/block-walks.ts';
import { configParams } from '../support/config-params.ts';

const [LEFT, RIGHT] = childShards(WHOLE_SHARD);
const [LEFT_OF_LEFT, RIGHT_OF_LEFT] = childShards(LEFT);

function descr(arena: BuildingArena, workchain: number, shard: bigint, seqno: number): ShardDescr {
  return {
    ...blockId(workchain, shard, seqno),
    regMcSeqno: seqno + 5,
    startLt: 1n,
    endLt: 2n,
    beforeSplit: seqno % 2 === 0,
    beforeMerge: false,
    wantSplit: true,
    wantMerge: false,
    nxCcUpdated: true,
    flags: 0,
    nextCatchainSeqno: 77,
    nextValidatorShard: shard,
    minRefMcSeqno: 3,
    genUtime: 1_700_000_000,
    splitMergeAt:
      seqno % 3 === 0 ? undefined : { kind: seqno % 3 === 1 ? 'split' : 'merge', utime: 5, interval: 6 },
    sums: { feesCollected: amountOf(arena, 8n), fundsCreated: amountOf(arena, 9n, { 1: 2n }) },
  };
}

describe('buildShardHashes', () => {
  it('writes what readShardHashes reads, by workchain and from left to right', () => {
    const arena = new BuildingArena();
    const shards = [
      descr(arena, -3, WHOLE_SHARD, 4),
      descr(arena, 0, LEFT_OF_LEFT, 1),
      descr(arena, 0, RIGHT_OF_LEFT, 2),
      descr(arena, 0, RIGHT, 3),
    ];
    expect(readShardHashes(arena, buildShardHashes(arena, shards.toReversed()))).toEqual(shards);
    expect(buildShardHashes(arena, [])).toBe(-1);
  });

  it.each([
    ['gap between shards', [LEFT]],
    ['gap between shards', [LEFT_OF_LEFT, RIGHT]],
    ['shards overlap', [WHOLE_SHARD, LEFT]],
    ['shards overlap', [LEFT, RIGHT, RIGHT_OF_LEFT]],
  ])('rejects shards: %s', (text, names) => {
    const arena = new BuildingArena();
    const shards = names.map((name, i) => descr(arena, 0, name, i));
    expect(() => buildShardHashes(arena, shards)).toThrow(text);
  });

  it('rejects a shard without its fees and funds', () => {
    const arena = new BuildingArena();
    const one = { ...descr(arena, 0, WHOLE_SHARD, 1), sums: undefined };
    expect(() => buildShardHashes(arena, [one])).toThrow('without its fees and funds');
  });
});

describe('buildMasterchainExtra', () => {
  it('writes what readMasterchainExtra reads, with the sum of shard fees', () => {
    const arena = new BuildingArena();
    const fees = new Dictionary(arena, SHARD_FEES);
    let shardFees = -1;
    for (const [i, shard] of [LEFT, RIGHT].entries())
      shardFees = fees.set(shardFees, shardFeesKey(0, shard), {
        fees: amountOf(arena, BigInt(i + 1), { 5: 1n }),
        create: amountOf(arena, 10n),
      });
    const total = { fees: amountOf(arena, 3n, { 5: 2n }), create: amountOf(arena, 20n) };
    expect(fees.extra(shardFees)).toEqual(total);
    expect(readShardFees(arena, shardFees).map(({ shard }) => shard)).toEqual([LEFT, RIGHT]);

    const pairs = [1, 2].map((fill) => ({
      nodeIdShort: Buffer.alloc(32, fill),
      signature: Buffer.alloc(64, fill),
    }));
    const messages = {
      prevBlockSignatures: buildSignaturePairs(arena, pairs),
      recoverCreateMsg: cellOf(arena, 1),
      mintMsg: -1,
    };
    expect(readSignaturePairs(arena, messages.prevBlockSignatures)).toEqual(pairs);
    const messagesCell = buildMasterchainMessages(arena, messages);
    expect(readMasterchainMessages(arena, messagesCell)).toEqual(messages);

    const config = new Dictionary(arena, CONFIG);
    const root = [-999, 0, 34].reduce(
      (made, i) => config.set(made, int32Key(i), cellOf(arena, i + 1000)),
      -1,
    );
    expect(configParam(arena, root, -999)).toBe(cellOf(arena, 1));
    expect(configParams(arena, root).map(({ index }) => index)).toEqual([0, 34, -999]);

    const shardHashes = buildShardHashes(arena, [descr(arena, 0, WHOLE_SHARD, 1)]);
    const extra: MasterchainExtra = {
      keyBlock: false,
      shardHashes,
      shardFees,
      totalShardFees: total,
      messages: messagesCell,
      config: undefined,
    };
    // There is no room for extra currencies beside a configuration.
    const grams = { fees: amountOf(arena, 3n), create: amountOf(arena, 20n) };
    const keyBlock = {
      keyBlock: true,
      config: { address: Buffer.alloc(32, 5), root },
      totalShardFees: grams,
    };
    const keyExtra = { ...extra, ...keyBlock };
    for (const one of [extra, keyExtra])
      expect(readMasterchainExtra(arena, buildMasterchainExtra(arena, one))).toEqual(one);
    expect(() => buildMasterchainExtra(arena, { ...extra, keyBlock: true })).toThrow('key blocks have');
  });
});

describe('buildValidatorSet', () => {
  it('writes what readValidatorSet reads', () => {
    const arena = new BuildingArena();
    const validator = fc.record({
      publicKey: hash,
      weight: fc.bigInt({ min: 1n, max: 2n ** 50n }),
      adnlAddress: fc.oneof(hash, fc.constant(Buffer.alloc(32))),
    });
    fc.assert(
      fc.property(fc.array(validator, { minLength: 1, maxLength: 40 }), uint(32), (validators, since) => {
        const totalWeight = validators.reduce((sum, { weight }) => sum + weight, 0n);
        const set = { since, until: 9, main: 1, validators, totalWeight };
        expect(readValidatorSet(arena, buildValidatorSet(arena, set))).toEqual(set);
      }),
    );
  });
});
