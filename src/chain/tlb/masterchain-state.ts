import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { type ExtBlkRef, readExtBlkRef, writeExtBlkRef } from './block.ts';
import { readCurrencyCollection, writeCurrencyCollection } from './currency.ts';
import { type DictionaryCodec, int32Key, lookUp } from './dictionary.ts';

// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams
//   ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo after_key_block:Bool
//   last_key_block:(Maybe ExtBlkRef) block_create_stats:(flags . 0)?BlockCreateStats ]
//   global_balance:CurrencyCollection = McStateExtra;

/** The extra of a masterchain state. */
export type McStateExtra = Readonly<ReturnType<typeof readMcStateExtra>>;

const MC_STATE_EXTRA = 0xcc26;

/** Reads `ShardState.custom` of the masterchain. */
export function readMcStateExtra(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  if (slice.uint(16) !== MC_STATE_EXTRA) throw new CellError('unknown tag of a masterchain state');
  return {
    /** The root of the dictionary of shards by workchain, or -1. */
    shardHashes: slice.maybeRef(),
    /** The account of the configuration contract. */
    configAddress: slice.hash(),
    /** The root of the dictionary of config params; for `configParam`. */
    config: slice.ref(),
    /** For `readMcStateInfo`. */
    info: slice.ref(),
    globalBalance: readCurrencyCollection(slice),
  };
}

/** Builds the cell of a McStateExtra. */
export function buildMcStateExtra(arena: BuildingArena, extra: McStateExtra): number {
  const builder = new CellBuilder().uint(MC_STATE_EXTRA, 16).maybeRef(extra.shardHashes);
  builder.hash(extra.configAddress).ref(extra.config).ref(extra.info);
  writeCurrencyCollection(builder, extra.globalBalance);
  return arena.build(builder);
}

// validator_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo;

/** Validators and earlier blocks. */
export type McStateInfo = Readonly<ReturnType<typeof readMcStateInfo>>;

const MAX_FLAGS = 1;
const WITH_STATS = 1;

/** Reads `McStateExtra.info`. */
export function readMcStateInfo(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  const flags = slice.uint(16);
  if (flags > MAX_FLAGS) throw new CellError('unknown tag of a masterchain state');
  return {
    validatorListHashShort: slice.uint(32),
    catchainSeqno: slice.uint(32),
    nextCatchainUpdated: slice.boolean(),
    prevBlocks: readOldMcBlocks(slice),
    afterKeyBlock: slice.boolean(),
    lastKeyBlock: slice.boolean() ? readExtBlkRef(slice) : undefined,
    blockCreateStats: flags === WITH_STATS ? readBlockCreateStats(slice) : undefined,
  };
}

/** Builds the cell `McStateExtra.info`. */
export function buildMcStateInfo(arena: BuildingArena, info: McStateInfo): number {
  const { prevBlocks, lastKeyBlock, blockCreateStats: stats } = info;
  if (stats?.augmented) throw new CellError('augmented block statistics cannot be written');
  const builder = new CellBuilder().uint(stats === undefined ? 0 : WITH_STATS, 16);
  builder.uint(info.validatorListHashShort, 32).uint(info.catchainSeqno, 32);
  builder.boolean(info.nextCatchainUpdated);
  builder.maybeRef(prevBlocks.root).boolean(prevBlocks.hasKeyBlock).uint64(prevBlocks.maxEndLt);
  builder.boolean(info.afterKeyBlock).boolean(lastKeyBlock !== undefined);
  if (lastKeyBlock !== undefined) writeExtBlkRef(builder, lastKeyBlock);
  if (stats !== undefined) builder.uint(STATS_TAG, 8).maybeRef(stats.root);
  return arena.build(builder);
}

// _ key:Bool max_end_lt:uint64 = KeyMaxLt;
// _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef;
// _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo;

/** The masterchain blocks before a state. The extras of the dictionary summarise key blocks and logical times. */
export type OldMcBlocks = Readonly<ReturnType<typeof readOldMcBlocks>>;

/** An earlier masterchain block. */
export interface OldMcBlock extends ExtBlkRef {
  readonly isKeyBlock: boolean;
}

const SEQNO_BITS = 32;
const EXTRA_BITS = 1 + 64;

function readOldMcBlocks(slice: Slice) {
  return {
    /** The root of the dictionary by seqno, or -1. */
    root: slice.maybeRef(),
    /** Whether any of them is a key block. */
    hasKeyBlock: slice.boolean(),
    maxEndLt: slice.uint64(),
  };
}

/** The earlier masterchain block with a seqno, or undefined; `root` is `OldMcBlocks.root`. */
export function lookUpOldMcBlock(cells: Cells, root: number, seqno: number): OldMcBlock | undefined {
  const value = lookUp(cells, root, SEQNO_BITS, int32Key(seqno));
  return value && readLeaf(value);
}

/** The extra of a leaf comes first; it repeats fields of the value. */
function readLeaf(slice: Slice): OldMcBlock {
  slice.skip(EXTRA_BITS);
  const isKeyBlock = slice.boolean();
  return { isKeyBlock, ...readExtBlkRef(slice) };
}

/** Earlier masterchain blocks by seqno. */
export const OLD_MC_BLOCKS: DictionaryCodec<OldMcBlock, Omit<OldMcBlocks, 'root'>> = {
  keyBits: SEQNO_BITS,
  write(builder, block) {
    writeExtBlkRef(builder.boolean(block.isKeyBlock), block);
  },
  augmentation: {
    empty: { hasKeyBlock: false, maxEndLt: 0n },
    of: ({ isKeyBlock, endLt }) => ({ hasKeyBlock: isKeyBlock, maxEndLt: endLt }),
    combine: (left, right) => ({
      hasKeyBlock: left.hasKeyBlock || right.hasKeyBlock,
      maxEndLt: left.maxEndLt > right.maxEndLt ? left.maxEndLt : right.maxEndLt,
    }),
    read: (slice) => ({ hasKeyBlock: slice.boolean(), maxEndLt: slice.uint64() }),
    write: (builder, { hasKeyBlock, maxEndLt }) => builder.boolean(hasKeyBlock).uint64(maxEndLt),
  },
};

// block_create_stats#17 counters:(HashmapE 256 CreatorStats) = BlockCreateStats;
// block_create_stats_ext#34 counters:(HashmapAugE 256 CreatorStats uint32) = BlockCreateStats;
// creator_info#4 mc_blocks:Counters shard_blocks:Counters = CreatorStats;
// counters#_ last_updated:uint32 total:uint64 cnt2048:uint64 cnt65536:uint64 = Counters;

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
    /** Whether the dictionary is augmented. */
    augmented: tag === STATS_EXT_TAG,
  };
}

/** Block counts of a validator: the total, and exponential averages over 2048 and 65536 seconds. */
export interface BlockCounters {
  readonly lastUpdated: number;
  readonly total: bigint;
  readonly count2048: bigint;
  readonly count65536: bigint;
}

/** The block counts of one validator. */
export interface CreatorStats {
  readonly mcBlocks: BlockCounters;
  readonly shardBlocks: BlockCounters;
}

const CREATOR_STATS = 4;

/** Block counts by public key; the zero key holds the total of all validators. */
export const BLOCK_CREATE_STATS: DictionaryCodec<CreatorStats> = {
  keyBits: 256,
  write(builder, { mcBlocks, shardBlocks }) {
    writeCounters(builder.uint(CREATOR_STATS, 4), mcBlocks);
    writeCounters(builder, shardBlocks);
  },
};

function writeCounters(builder: CellBuilder, counters: BlockCounters): void {
  const { lastUpdated, total, count2048, count65536 } = counters;
  builder.uint(lastUpdated, 32).uint64(total).uint64(count2048).uint64(count65536);
}
