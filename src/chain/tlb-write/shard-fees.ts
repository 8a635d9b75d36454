import type { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { readShardFeeCreated, type ShardFeeCreated } from '../tlb/masterchain-extra-fees.ts';
import { addCurrencies, NO_CURRENCY, writeCurrencyCollection } from './currency.ts';
import type { DictionaryForm } from './dictionary-form.ts';

/** What shards paid and created, by workchain and shard; `shardFeesKey` makes the keys. */
export const SHARD_FEES: DictionaryForm<ShardFeeCreated, ShardFeeCreated> = {
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

/** The key of what a shard paid and created. */
export function shardFeesKey(workchain: number, shard: bigint): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeInt32BE(workchain, 0);
  key.writeBigUInt64BE(BigInt.asUintN(64, shard), 4);
  return key;
}

/** Writes a ShardFeeCreated. */
export function writeShardFeeCreated(builder: CellBuilder, { fees, create }: ShardFeeCreated): void {
  writeCurrencyCollection(builder, fees);
  writeCurrencyCollection(builder, create);
}
