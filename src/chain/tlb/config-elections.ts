import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/** Parameter 15: the times of elections, in seconds. */
export interface ElectionTimes {
  readonly validatorsElectedFor: number;
  readonly electionsStartBefore: number;
  readonly electionsEndBefore: number;
  readonly stakeHeldFor: number;
}

/** Parameter 16: how many validators there may be. */
export interface ValidatorCounts {
  readonly maxValidators: number;
  readonly maxMainValidators: number;
  readonly minValidators: number;
}

/** Parameter 17: stakes in nanotons; the factor is a fraction of 65536. */
export interface StakeLimits {
  readonly minStake: bigint;
  readonly maxStake: bigint;
  readonly minTotalStake: bigint;
  readonly maxStakeFactor: number;
}

/** Reads parameter 15. */
export function readElectionTimes(cells: Cells, cell: number): ElectionTimes {
  const slice = new Slice(cells, cell);
  return {
    validatorsElectedFor: slice.uint(32),
    electionsStartBefore: slice.uint(32),
    electionsEndBefore: slice.uint(32),
    stakeHeldFor: slice.uint(32),
  };
}

/** Reads parameter 16. */
export function readValidatorCounts(cells: Cells, cell: number): ValidatorCounts {
  const slice = new Slice(cells, cell);
  return {
    maxValidators: slice.uint(16),
    maxMainValidators: slice.uint(16),
    minValidators: slice.uint(16),
  };
}

/** Reads parameter 17. */
export function readStakeLimits(cells: Cells, cell: number): StakeLimits {
  const slice = new Slice(cells, cell);
  return {
    minStake: slice.coins(),
    maxStake: slice.coins(),
    minTotalStake: slice.coins(),
    maxStakeFactor: slice.uint(32),
  };
}
