import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { EXT_BLK_REF } from './block.ts';
import {
  BOOL,
  HASH,
  MAYBE_REF,
  maybe,
  REF,
  record,
  tagged,
  UINT32,
  UINT64,
  uint,
  type ValueOf,
} from './codecs.ts';
import { CURRENCY_COLLECTION } from './currency.ts';
import { type DictionaryCodec, int32Key, lookUp } from './dictionary.ts';

/** The extra of a masterchain state: `ShardState.custom`. */
const MC_STATE_EXTRA = tagged('masterchain_state_extra#cc26', 'unknown tag of a masterchain state', {
  /** The root of the dictionary of shards by workchain, or -1. */
  shardHashes: MAYBE_REF,
  configAddress: HASH,
  /** The root of the dictionary of config params; for `configParam`. */
  config: REF,
  /** For `readMcStateInfo`. */
  info: REF,
  globalBalance: CURRENCY_COLLECTION,
});

export type McStateExtra = ValueOf<typeof MC_STATE_EXTRA>;

export const { open: readMcStateExtra, build: buildMcStateExtra } = MC_STATE_EXTRA;

// _ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo after_key_block:Bool
//   last_key_block:(Maybe ExtBlkRef) block_create_stats:(flags . 0)?BlockCreateStats
// validator_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo;

const MC_STATE_INFO = record({
  validatorListHashShort: UINT32,
  catchainSeqno: UINT32,
  nextCatchainUpdated: BOOL,
  prevBlocks: record({
    /** The root of the dictionary by seqno, or -1. */
    root: MAYBE_REF,
    hasKeyBlock: BOOL,
    maxEndLt: UINT64,
  }),
  afterKeyBlock: BOOL,
  lastKeyBlock: maybe(EXT_BLK_REF),
});
const FLAGS = uint(16, 1, 'unknown tag of a masterchain state');
const WITH_STATS = 1;

/** Validators and earlier blocks. */
export type McStateInfo = ReturnType<typeof readMcStateInfo>;

/** Reads `McStateExtra.info`. */
export function readMcStateInfo(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  const flags = FLAGS.read(slice);
  const info = MC_STATE_INFO.read(slice);
  return { ...info, blockCreateStats: flags === WITH_STATS ? readBlockCreateStats(slice) : undefined };
}

/** Builds the cell `McStateExtra.info`. */
export function buildMcStateInfo(arena: BuildingArena, info: McStateInfo): number {
  const { blockCreateStats: stats } = info;
  if (stats?.augmented) throw new CellError('augmented block statistics cannot be written');
  const builder = new CellBuilder().uint(stats === undefined ? 0 : WITH_STATS, 16);
  MC_STATE_INFO.write(builder, info, arena);
  if (stats !== undefined) builder.uint(STATS_TAG, 8).maybeRef(stats.root);
  return arena.build(builder);
}

// _ key:Bool max_end_lt:uint64 = KeyMaxLt;
// _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef;
// _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo;

/** The masterchain blocks before a state. The extras of the dictionary summarise key blocks and logical times. */
export type OldMcBlocks = McStateInfo['prevBlocks'];

const OLD_MC_BLOCK = record({ isKeyBlock: BOOL, '...': EXT_BLK_REF });

export type OldMcBlock = ValueOf<typeof OLD_MC_BLOCK>;

const KEY_MAX_LT = record({ hasKeyBlock: BOOL, maxEndLt: UINT64 });
const SEQNO_BITS = 32;
const EXTRA_BITS = 1 + 64;

/** The earlier masterchain block with a seqno, or undefined; `root` is `OldMcBlocks.root`. */
export function lookUpOldMcBlock(cells: Cells, root: number, seqno: number): OldMcBlock | undefined {
  const value = lookUp(cells, root, SEQNO_BITS, int32Key(seqno));
  // The extra of a leaf comes first; it repeats fields of the value.
  value?.skip(EXTRA_BITS);
  return value && OLD_MC_BLOCK.read(value);
}

export const OLD_MC_BLOCKS: DictionaryCodec<OldMcBlock, Omit<OldMcBlocks, 'root'>> = {
  keyBits: SEQNO_BITS,
  write: OLD_MC_BLOCK.write,
  augmentation: {
    empty: { hasKeyBlock: false, maxEndLt: 0n },
    of: ({ isKeyBlock, endLt }) => ({ hasKeyBlock: isKeyBlock, maxEndLt: endLt }),
    combine: (left, right) => ({
      hasKeyBlock: left.hasKeyBlock || right.hasKeyBlock,
      maxEndLt: left.maxEndLt > right.maxEndLt ? left.maxEndLt : right.maxEndLt,
    }),
    read: KEY_MAX_LT.read,
    write: KEY_MAX_LT.write,
  },
};

// block_create_stats#17 counters:(HashmapE 256 CreatorStats) = BlockCreateStats;
// block_create_stats_ext#34 counters:(HashmapAugE 256 CreatorStats uint32) = BlockCreateStats;

const STATS_TAG = 0x17;
const STATS_EXT_TAG = 0x34;

/** Blocks created by each validator; `root` is a dictionary by public key, or -1. */
function readBlockCreateStats(slice: Slice) {
  const tag = slice.uint(8);
  if (tag !== STATS_TAG && tag !== STATS_EXT_TAG) throw new CellError('unknown tag of block statistics');
  const root = slice.maybeRef();
  if (tag === STATS_EXT_TAG) slice.skip(32);
  return {
    root,
    augmented: tag === STATS_EXT_TAG,
  };
}

/** Block counts of a validator: the total, and exponential averages over 2048 and 65536 seconds. */
const COUNTERS = record({ lastUpdated: UINT32, total: UINT64, count2048: UINT64, count65536: UINT64 });

export type BlockCounters = ValueOf<typeof COUNTERS>;

export const CREATOR_STATS = tagged('creator_info#4', 'unknown tag of the statistics of a validator', {
  mcBlocks: COUNTERS,
  shardBlocks: COUNTERS,
});

export type CreatorStats = ValueOf<typeof CREATOR_STATS>;

/** Block counts by public key; the zero key holds the total of all validators. */
export const BLOCK_CREATE_STATS: DictionaryCodec<CreatorStats> = { keyBits: 256, write: CREATOR_STATS.write };
