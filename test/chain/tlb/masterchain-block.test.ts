import { beginCell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../../src/chain/tlb/masterchain-block.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import { type Augmentation, storeAmount, storeAugmentedE } from '../../support/chain-builder/cells.ts';
import { readBlock } from '../support/block-readers.ts';
import { sampleMasterBlock, shardTop, WHOLE } from '../support/block-samples.ts';
import { readSignaturePairs } from '../support/block-signatures.ts';
import { readShardFees } from '../support/block-walks.ts';
import { bagFrom } from '../support/built-cells.ts';

const FEES: Augmentation<bigint> = {
  zero: 0n,
  combine: (left, right) => left + right,
  store: (builder, fees) => storeAmount(storeAmount(builder, fees), 2n * fees),
};

/** A McBlockExtra with fees of two shards, a signature, and both messages. */
function special(keyBlock: boolean) {
  const shards: [bigint, bigint][] = [
    [2n ** 62n, 5n],
    [3n * 2n ** 62n, 7n],
  ];
  const entries = shards.map(([shard, fees]) => {
    const value = beginCell();
    FEES.store(value, fees);
    return { key: shard, extra: fees, value };
  });
  const signatures = Dictionary.empty(Dictionary.Keys.Uint(16), {
    serialize: (byte: number, builder) =>
      builder
        .storeBuffer(Buffer.alloc(32, byte))
        .storeUint(5, 4)
        .storeBuffer(Buffer.alloc(64, byte + 1)),
    parse: () => 0,
  });
  signatures.set(3, 0x33);
  signatures.set(1, 0x11);
  const [recover, mint] = [beginCell().storeUint(1, 8), beginCell().storeUint(2, 8)];
  const messages = beginCell()
    .storeDict(signatures)
    .storeMaybeRef(recover.endCell())
    .storeMaybeRef(mint.endCell());
  const builder = beginCell().storeUint(0xcca5, 16).storeBit(keyBlock).storeBit(0);
  storeAugmentedE(builder, entries, 96, FEES).storeRef(messages);
  const config = beginCell().storeUint(9, 8).endCell();
  return keyBlock ? builder.storeBuffer(Buffer.alloc(32, 0x55)).storeRef(config) : builder;
}

describe('readMasterchainExtra', () => {
  it('reads shard fees, signatures and messages', () => {
    const bag = bagFrom(special(false));
    const extra = readMasterchainExtra(bag, bag.root);
    expect(extra).toMatchObject({ keyBlock: false, shardHashes: -1, config: undefined });
    expect(extra.totalShardFees).toMatchObject({ fees: { grams: 12n }, create: { grams: 24n } });
    expect(readShardFees(bag, extra.shardFees)).toMatchObject([
      { workchain: 0, shard: 2n ** 62n, fees: { grams: 5n }, create: { grams: 10n } },
      { workchain: 0, shard: -(2n ** 62n), fees: { grams: 7n }, create: { grams: 14n } },
    ]);
    const { prevBlockSignatures, recoverCreateMsg, mintMsg } = readMasterchainMessages(bag, extra.messages);
    expect(readSignaturePairs(bag, prevBlockSignatures)).toEqual([
      { nodeIdShort: Buffer.alloc(32, 0x11), signature: Buffer.alloc(64, 0x12) },
      { nodeIdShort: Buffer.alloc(32, 0x33), signature: Buffer.alloc(64, 0x34) },
    ]);
    expect(bag.hash(recoverCreateMsg)).toEqual(beginCell().storeUint(1, 8).endCell().hash());
    expect(bag.hash(mintMsg)).toEqual(beginCell().storeUint(2, 8).endCell().hash());
  });

  it('reads the configuration of a key block', () => {
    const bag = bagFrom(special(true));
    const { config, keyBlock } = readMasterchainExtra(bag, bag.root);
    expect(keyBlock).toBe(true);
    expect(config?.address).toEqual(Buffer.alloc(32, 0x55));
    expect(bag.hash(config!.root)).toEqual(beginCell().storeUint(9, 8).endCell().hash());
  });

  it('reads the shards of a block', () => {
    const tops = [shardTop(0, 2n ** 62n, 5), shardTop(0, -(2n ** 62n), 6)];
    const bag = readBoc(
      sampleMasterBlock(tops, new Map([[0, beginCell().storeUint(1, 256).endCell()]])).bytes,
    );
    const { masterchain, info } = readBlock(bag, bag.root);
    expect(info).toMatchObject({
      notMaster: false,
      keyBlock: true,
      masterRef: undefined,
      workchain: -1,
      shard: WHOLE,
    });
    expect(readShardHashes(bag, masterchain!.shardHashes)).toMatchObject(
      tops.map(({ id, startLt, endLt, utime }) => ({ ...id, startLt, endLt, genUtime: utime })),
    );
    expect(readShardFees(bag, masterchain!.shardFees)).toEqual([]);
    expect(readMasterchainMessages(bag, masterchain!.messages)).toEqual({
      prevBlockSignatures: -1,
      recoverCreateMsg: -1,
      mintMsg: -1,
    });
    expect(masterchain?.config).toBeDefined();
  });

  it('throws a CellError for another tag', () => {
    const bag = bagFrom(beginCell().storeUint(0xcc26, 16));
    expect(() => readMasterchainExtra(bag, bag.root)).toThrow(CellError);
  });
});
