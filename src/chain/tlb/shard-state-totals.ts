import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import { type ExtBlkRef, readExtBlkRef } from './ext-blk-ref.ts';

/** What a shard state says about the shard as a whole. */
export interface ShardStateTotals {
  readonly overloadHistory: bigint;
  readonly underloadHistory: bigint;
  readonly totalBalance: CurrencyCollection;
  readonly totalValidatorFees: CurrencyCollection;
  /** The root of the dictionary of public libraries, or -1; for `lookUpLibrary`. */
  readonly libraries: number;
  /** The masterchain block that the shard's last block refers to; undefined in the masterchain. */
  readonly masterRef: ExtBlkRef | undefined;
}

/** Reads `ShardState.totals`. */
export function readShardStateTotals(cells: Cells, cell: number): ShardStateTotals {
  const slice = new Slice(cells, cell);
  return {
    overloadHistory: slice.uint64(),
    underloadHistory: slice.uint64(),
    totalBalance: readCurrencyCollection(slice),
    totalValidatorFees: readCurrencyCollection(slice),
    libraries: slice.maybeRef(),
    masterRef: slice.boolean() ? readExtBlkRef(slice) : undefined,
  };
}
