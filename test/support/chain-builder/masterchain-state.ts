import { type Builder, beginCell, type Cell, Dictionary } from '@ton/core';
import { storeAmount } from './amounts.ts';
import { type Augmentation, storeAugmentedE } from './augmented-dictionary.ts';
import { type BlockRef, storeBlockRef } from './block-names.ts';
import { type ShardTop, storeShardHashes } from './shard-hashes.ts';

/** Configuration parameters by their number. */
export type ConfigCells = ReadonlyMap<number, Cell>;

/** An older masterchain block, as newer states remember it. */
export interface OldBlock extends BlockRef {
  readonly keyBlock: boolean;
}

/** What only the state of the masterchain has. */
export interface MasterchainStateParts {
  readonly shards: readonly ShardTop[];
  readonly config: ConfigCells;
  readonly oldBlocks: readonly OldBlock[];
  readonly lastKeyBlock?: BlockRef | undefined;
  /** Number of masterchain blocks by the public key of their maker. */
  readonly creators?: ReadonlyMap<bigint, bigint>;
}

interface KeyMaxLt {
  readonly keyBlock: boolean;
  readonly maxEndLt: bigint;
}

const KEY_AND_MAX_LT: Augmentation<KeyMaxLt> = {
  zero: { keyBlock: false, maxEndLt: 0n },
  combine: (left, right) => ({
    keyBlock: left.keyBlock || right.keyBlock,
    maxEndLt: left.maxEndLt > right.maxEndLt ? left.maxEndLt : right.maxEndLt,
  }),
  store: (builder, { keyBlock, maxEndLt }) => builder.storeBit(keyBlock).storeUint(maxEndLt, 64),
};

/** Makes a McStateExtra. Its references: shard hashes, configuration, a group with the older blocks. */
export function masterchainStateExtra(parts: MasterchainStateParts): Cell {
  const { creators = new Map<bigint, bigint>() } = parts;
  const extra = storeShardHashes(beginCell().storeUint(0xcc26, 16), parts.shards);
  storeConfig(extra, parts.config);
  const group = beginCell().storeUint(1, 16).storeUint(0, 65);
  const oldBlocks = parts.oldBlocks.map((old) => ({
    key: BigInt(old.id.seqno),
    extra: { keyBlock: old.keyBlock, maxEndLt: old.endLt },
    value: storeBlockRef(beginCell().storeBit(old.keyBlock), old),
  }));
  storeAugmentedE(group, oldBlocks, 32, KEY_AND_MAX_LT).storeBit(0);
  if (parts.lastKeyBlock === undefined) group.storeBit(0);
  else storeBlockRef(group.storeBit(1), parts.lastKeyBlock);
  group.storeUint(0x17, 8).storeDict(creatorStats(creators));
  return storeAmount(extra.storeRef(group), 0n).endCell();
}

/** Writes ConfigParams. */
export function storeConfig(builder: Builder, config: ConfigCells): Builder {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const [index, cell] of config) dictionary.set(index, cell);
  return builder.storeBuffer(Buffer.alloc(32, 0x55)).storeRef(beginCell().storeDictDirect(dictionary));
}

function creatorStats(creators: ReadonlyMap<bigint, bigint>): Dictionary<bigint, bigint> {
  const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(256), {
    serialize: (blocks: bigint, builder: Builder) => {
      builder.storeUint(4, 4);
      for (const count of [blocks, 0n])
        builder.storeUint(0, 32).storeUint(count, 64).storeUint(0, 64).storeUint(0, 64);
    },
    parse: () => 0n,
  });
  for (const [key, blocks] of creators) dictionary.set(key, blocks);
  return dictionary;
}
