import type { Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import { walkDictionary } from './dictionary.ts';

/** What a shard's blocks collected in fees and created as rewards. */
export interface ShardFeeCreated {
  readonly fees: CurrencyCollection;
  readonly create: CurrencyCollection;
}

/** What one shard's blocks collected and created. */
export interface ShardFees extends ShardFeeCreated {
  readonly workchain: number;
  readonly shard: bigint;
}

const KEY_BITS = 32 + 64;

/** Reads a ShardFeeCreated. */
export function readShardFeeCreated(slice: Slice): ShardFeeCreated {
  return { fees: readCurrencyCollection(slice), create: readCurrencyCollection(slice) };
}

/** Reads the fees of all shards from the root of their dictionary, which is -1 when there are none. */
export function readShardFees(cells: Cells, root: number): ShardFees[] {
  const found: ShardFees[] = [];
  if (root >= 0)
    walkDictionary(cells, root, KEY_BITS, (key, value) => {
      // The sum over the entry stands before the entry, and is the same.
      readShardFeeCreated(value);
      const { fees, create } = readShardFeeCreated(value);
      found.push({ workchain: key.readInt32BE(0), shard: key.readBigInt64BE(4), fees, create });
    });
  return found;
}
