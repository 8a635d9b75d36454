import { CellError } from '../boc/cells.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { BOOL, HASH, MAYBE_REF, REF, record, tagged, type ValueOf, when } from './codecs.ts';
import { addCurrencies, CURRENCY_COLLECTION, NO_CURRENCY } from './currency.ts';
import type { DictionaryCodec } from './dictionary.ts';

/** The fees that the blocks of a shard collected, and the rewards they created. */
export const SHARD_FEE_CREATED = record({ fees: CURRENCY_COLLECTION, create: CURRENCY_COLLECTION });

export type ShardFeeCreated = ValueOf<typeof SHARD_FEE_CREATED>;

/** The extra of masterchain blocks. Roots of dictionaries are -1 when they are empty. */
const MASTERCHAIN_EXTRA = tagged('masterchain_block_extra#cca5', 'not the extra of a masterchain block', {
  keyBlock: BOOL,
  /** The root of the shards' newest blocks; `readShardHashes` reads it. */
  shardHashes: MAYBE_REF,
  /** The root of the fees and created funds of each shard. */
  shardFees: MAYBE_REF,
  totalShardFees: SHARD_FEE_CREATED,
  /** The cell with the signatures of the previous block and two messages; `readMasterchainMessages` reads it. */
  messages: REF,
  /** Only in key blocks: the account of the configuration contract, and the root of the dictionary of params. */
  config: when('keyBlock', record({ address: HASH, root: REF })),
});

export type MasterchainExtra = ValueOf<typeof MASTERCHAIN_EXTRA>;

export const readMasterchainExtra = MASTERCHAIN_EXTRA.open;

export function buildMasterchainExtra(arena: BuildingArena, extra: MasterchainExtra): number {
  if (extra.keyBlock !== (extra.config !== undefined))
    throw new CellError('key blocks have a configuration, other blocks have none');
  return MASTERCHAIN_EXTRA.build(arena, extra);
}

/** Signatures of the previous block, and messages that no account sends. Roots and cells are -1 where absent. */
const MASTERCHAIN_MESSAGES = record({
  prevBlockSignatures: MAYBE_REF,
  /** The InMsg that pays the fees of the block to the fee collector. */
  recoverCreateMsg: MAYBE_REF,
  /** The InMsg with newly minted extra currencies. */
  mintMsg: MAYBE_REF,
});

export const { open: readMasterchainMessages, build: buildMasterchainMessages } = MASTERCHAIN_MESSAGES;

// _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees;

/** Fees and created funds by workchain and shard; `shardFeesKey` makes the keys. */
export const SHARD_FEES: DictionaryCodec<ShardFeeCreated, ShardFeeCreated> = {
  keyBits: 96,
  write: SHARD_FEE_CREATED.write,
  augmentation: {
    empty: { fees: NO_CURRENCY, create: NO_CURRENCY },
    of: (value) => value,
    combine: (left: ShardFeeCreated, right: ShardFeeCreated, arena: BuildingArena) => ({
      fees: addCurrencies(left.fees, right.fees, arena),
      create: addCurrencies(left.create, right.create, arena),
    }),
    ...SHARD_FEE_CREATED,
  },
};

export function shardFeesKey(workchain: number, shard: bigint): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeInt32BE(workchain, 0);
  key.writeBigUInt64BE(BigInt.asUintN(64, shard), 4);
  return key;
}
