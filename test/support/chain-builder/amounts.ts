import type { Builder } from '@ton/core';
import type { Augmentation } from './augmented-dictionary.ts';

/** Writes a CurrencyCollection of nanotons alone. */
export function storeAmount(builder: Builder, grams: bigint): Builder {
  return builder.storeCoins(grams).storeBit(0);
}

/** The augmentation of account blocks, messages and transactions: amounts are added. */
export const AMOUNTS: Augmentation<bigint> = {
  zero: 0n,
  combine: (left, right) => left + right,
  store: storeAmount,
};

/** The augmentation of the accounts of a state: split depth and balance. */
export const DEPTH_AND_BALANCE: Augmentation<bigint> = {
  zero: 0n,
  combine: (left, right) => left + right,
  store: (builder, balance) => storeAmount(builder.storeUint(0, 5), balance),
};

/** The augmentation of out-queues: the smallest logical time. */
export const LOWEST_LT: Augmentation<bigint> = {
  zero: 0n,
  combine: (left, right) => (left < right ? left : right),
  store: (builder, lt) => builder.storeUint(lt, 64),
};
