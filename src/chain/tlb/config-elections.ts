import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { configParam } from './config.ts';

// _ validators_elected_for:uint32 elections_start_before:uint32 elections_end_before:uint32 stake_held_for:uint32
//   = ConfigParam 15;
// _ max_validators:(## 16) max_main_validators:(## 16) min_validators:(## 16) = ConfigParam 16;
// _ min_stake:Grams max_stake:Grams min_total_stake:Grams max_stake_factor:uint32 = ConfigParam 17;

/** Config params 15 to 17: the rules of elections. Times are in seconds, stakes in nanotons. */
export type ElectionRules = Readonly<ReturnType<typeof readElectionRules>>;

/** Reads config params 15, 16 and 17; `root` is the root of the dictionary of params. */
export function readElectionRules(cells: Cells, root: number) {
  const open = (index: number): Slice => {
    const cell = configParam(cells, root, index);
    if (cell < 0) throw new CellError(`the configuration has no param ${index}`);
    return new Slice(cells, cell);
  };
  const [times, counts, stakes] = [open(15), open(16), open(17)];
  // Fields are in read order: an object literal evaluates them from top to bottom.
  return {
    electedFor: times.uint(32),
    startBefore: times.uint(32),
    endBefore: times.uint(32),
    stakeHeldFor: times.uint(32),
    maxValidators: counts.uint(16),
    maxMainValidators: counts.uint(16),
    minValidators: counts.uint(16),
    minStake: stakes.coins(),
    maxStake: stakes.coins(),
    minTotalStake: stakes.coins(),
    /** 65536 is 1. */
    maxStakeFactor: stakes.uint(32),
  };
}
