import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

// catchain_config#c1 mc_catchain_lifetime:uint32 shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32
//   shard_validators_num:uint32 = CatchainConfig;
// catchain_config_new#c2 flags:(## 7) { flags = 0 } shuffle_mc_validators:Bool mc_catchain_lifetime:uint32
//   shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32 shard_validators_num:uint32 = CatchainConfig;

/** Config param 28: how validator groups are chosen, and their lifetimes in seconds. */
export type CatchainConfig = Readonly<ReturnType<typeof readCatchainConfig>>;

/** The defaults of a node without config param 28. */
export const DEFAULT_CATCHAIN_CONFIG: CatchainConfig = {
  shuffleMcValidators: false,
  mcCatchainLifetime: 200,
  shardCatchainLifetime: 200,
  shardValidatorsLifetime: 3000,
  shardValidatorsNum: 7,
};

const OLD_TAG = 0xc1;
const TAG = 0xc2;

/** Reads config param 28. */
export function readCatchainConfig(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== TAG && tag !== OLD_TAG) throw new CellError('unknown tag of a catchain configuration');
  if (tag === TAG) slice.skip(7);
  return {
    shuffleMcValidators: tag === TAG && slice.boolean(),
    mcCatchainLifetime: slice.uint(32),
    shardCatchainLifetime: slice.uint(32),
    shardValidatorsLifetime: slice.uint(32),
    shardValidatorsNum: slice.uint(32),
  };
}
