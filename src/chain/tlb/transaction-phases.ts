import type { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import { readStorageUsed, type StorageUsed } from './transaction-numbers.ts';
import { readStatusChange, type StatusChange } from './transaction-status.ts';

/** Rent for the time since the last transaction. */
export interface StoragePhase {
  readonly storageFeesCollected: bigint;
  readonly storageFeesDue: bigint | undefined;
  readonly statusChange: StatusChange;
}

/** What the inbound message brought. */
export interface CreditPhase {
  readonly dueFeesCollected: bigint | undefined;
  readonly credit: CurrencyCollection;
}

/** What became of a message that had to go back. */
export type BouncePhase =
  | { readonly kind: 'negfunds' }
  | { readonly kind: 'nofunds'; readonly msgSize: StorageUsed; readonly reqFwdFees: bigint }
  | {
      readonly kind: 'ok';
      readonly msgSize: StorageUsed;
      readonly msgFees: bigint;
      readonly fwdFees: bigint;
    };

/** Reads a TrStoragePhase. */
export function readStoragePhase(slice: Slice): StoragePhase {
  return {
    storageFeesCollected: slice.coins(),
    storageFeesDue: slice.boolean() ? slice.coins() : undefined,
    statusChange: readStatusChange(slice),
  };
}

/** Reads a TrCreditPhase. */
export function readCreditPhase(slice: Slice): CreditPhase {
  return {
    dueFeesCollected: slice.boolean() ? slice.coins() : undefined,
    credit: readCurrencyCollection(slice),
  };
}

/** Reads a TrBouncePhase. */
export function readBouncePhase(slice: Slice): BouncePhase {
  if (slice.boolean())
    return {
      kind: 'ok',
      msgSize: readStorageUsed(slice),
      msgFees: slice.coins(),
      fwdFees: slice.coins(),
    };
  if (!slice.boolean()) return { kind: 'negfunds' };
  return { kind: 'nofunds', msgSize: readStorageUsed(slice), reqFwdFees: slice.coins() };
}
