import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { addCurrencies, NO_CURRENCY, readCurrencyCollection, writeCurrencyCollection } from './currency.ts';
import type { DictionaryCodec } from './dictionary.ts';

// masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees
//   ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair) recover_create_msg:(Maybe ^InMsg)
//   mint_msg:(Maybe ^InMsg) ] config:key_block?ConfigParams = McBlockExtra;

/** The extra of masterchain blocks. Roots of dictionaries are -1 when they are empty. */
export type MasterchainExtra = Readonly<ReturnType<typeof readMasterchainExtra>>;

const MASTERCHAIN_BLOCK_EXTRA = 0xcca5;

/** Reads a McBlockExtra. */
export function readMasterchainExtra(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  if (slice.uint(16) !== MASTERCHAIN_BLOCK_EXTRA) throw new CellError('not the extra of a masterchain block');
  const keyBlock = slice.boolean();
  return {
    keyBlock,
    /** The root of the shards' newest blocks; `readShardHashes` reads it. */
    shardHashes: slice.maybeRef(),
    /** The root of the fees and created funds of each shard. */
    shardFees: slice.maybeRef(),
    totalShardFees: readShardFeeCreated(slice),
    /** The cell with the signatures of the previous block and two messages; `readMasterchainMessages` reads it. */
    messages: slice.ref(),
    /** Only in key blocks: the account of the configuration contract, and the root of the dictionary of params. */
    config: keyBlock ? { address: slice.hash(), root: slice.ref() } : undefined,
  };
}

/** Builds the cell of a McBlockExtra. */
export function buildMasterchainExtra(arena: BuildingArena, extra: MasterchainExtra): number {
  const { keyBlock, shardHashes, shardFees, totalShardFees, messages, config } = extra;
  if (keyBlock !== (config !== undefined))
    throw new CellError('key blocks have a configuration, other blocks have none');
  const builder = new CellBuilder().uint(MASTERCHAIN_BLOCK_EXTRA, 16).boolean(keyBlock);
  builder.maybeRef(shardHashes).maybeRef(shardFees);
  writeShardFeeCreated(builder, totalShardFees);
  builder.ref(messages);
  if (config !== undefined) builder.hash(config.address).ref(config.root);
  return arena.build(builder);
}

/** Signatures of the previous block, and messages that no account sends. Roots and cells are -1 where absent. */
type MasterchainMessages = Readonly<ReturnType<typeof readMasterchainMessages>>;

/** Reads the cell `messages` of a McBlockExtra. */
export function readMasterchainMessages(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  return {
    /** The root of a dictionary of signatures. */
    prevBlockSignatures: slice.maybeRef(),
    /** The InMsg that pays the fees of the block to the fee collector. */
    recoverCreateMsg: slice.maybeRef(),
    /** The InMsg with newly minted extra currencies. */
    mintMsg: slice.maybeRef(),
  };
}

/** Builds the cell `messages` of a McBlockExtra. */
export function buildMasterchainMessages(arena: BuildingArena, messages: MasterchainMessages): number {
  const { prevBlockSignatures, recoverCreateMsg, mintMsg } = messages;
  const builder = new CellBuilder().maybeRef(prevBlockSignatures);
  return arena.build(builder.maybeRef(recoverCreateMsg).maybeRef(mintMsg));
}

// _ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated;
// _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees;

/** The fees that the blocks of a shard collected, and the rewards they created. */
export type ShardFeeCreated = Readonly<ReturnType<typeof readShardFeeCreated>>;

/** Reads a ShardFeeCreated. */
export function readShardFeeCreated(slice: Slice) {
  return { fees: readCurrencyCollection(slice), create: readCurrencyCollection(slice) };
}

function writeShardFeeCreated(builder: CellBuilder, { fees, create }: ShardFeeCreated): void {
  writeCurrencyCollection(builder, fees);
  writeCurrencyCollection(builder, create);
}

/** Fees and created funds by workchain and shard; `shardFeesKey` makes the keys. */
export const SHARD_FEES: DictionaryCodec<ShardFeeCreated, ShardFeeCreated> = {
  keyBits: 96,
  write: writeShardFeeCreated,
  augmentation: {
    empty: { fees: NO_CURRENCY, create: NO_CURRENCY },
    of: (value) => value,
    combine: (left: ShardFeeCreated, right: ShardFeeCreated, arena: BuildingArena) => ({
      fees: addCurrencies(left.fees, right.fees, arena),
      create: addCurrencies(left.create, right.create, arena),
    }),
    read: readShardFeeCreated,
    write: writeShardFeeCreated,
  },
};

/** The key of a shard in `SHARD_FEES`. */
export function shardFeesKey(workchain: number, shard: bigint): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeInt32BE(workchain, 0);
  key.writeBigUInt64BE(BigInt.asUintN(64, shard), 4);
  return key;
}
