import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/** Parameter 28: how validator groups are chosen and how long they live (seconds). */
export interface CatchainConfig {
  readonly shuffleMcValidators: boolean;
  readonly mcCatchainLifetime: number;
  readonly shardCatchainLifetime: number;
  readonly shardValidatorsLifetime: number;
  readonly shardValidatorsNum: number;
}

/** What holds where a configuration has no parameter 28. */
export const DEFAULT_CATCHAIN_CONFIG: CatchainConfig = {
  shuffleMcValidators: false,
  mcCatchainLifetime: 200,
  shardCatchainLifetime: 200,
  shardValidatorsLifetime: 3000,
  shardValidatorsNum: 7,
};

const OLD_TAG = 0xc1;
const TAG = 0xc2;

/** Reads parameter 28 in either of its forms. */
export function readCatchainConfig(cells: Cells, cell: number): CatchainConfig {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== TAG && tag !== OLD_TAG) throw new CellFault('a catchain configuration of an unknown form');
  if (tag === TAG) slice.skip(7);
  return {
    shuffleMcValidators: tag === TAG && slice.boolean(),
    mcCatchainLifetime: slice.uint(32),
    shardCatchainLifetime: slice.uint(32),
    shardValidatorsLifetime: slice.uint(32),
    shardValidatorsNum: slice.uint(32),
  };
}
