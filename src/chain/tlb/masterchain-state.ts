import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { type ExtBlkRef, readExtBlkRef, writeExtBlkRef } from './block-refs.ts';
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './currency.ts';
import { type DictionaryCodec, lookUp, readLabel } from './dictionary.ts';

/** What the state of the masterchain has and that of other shards has not. */
export interface McStateExtra {
  /** The root of the dictionary of shards by workchain, or -1. */
  readonly shardHashes: number;
  /** The account of the configuration contract. */
  readonly configAddress: Buffer;
  /** The root of the dictionary of parameters; for `configParam`. */
  readonly config: number;
  /** For `readMcStateInfo`. */
  readonly info: number;
  readonly globalBalance: CurrencyCollection;
}

/** Who validates, and the blocks before. */
export interface McStateInfo {
  readonly validatorListHashShort: number;
  readonly catchainSeqno: number;
  readonly nextCatchainUpdated: boolean;
  readonly prevBlocks: OldMcBlocks;
  readonly afterKeyBlock: boolean;
  readonly lastKeyBlock: ExtBlkRef | undefined;
  readonly blockCreateStats: BlockCreateStats | undefined;
}

/** How many blocks each validator made; `root` is a dictionary by public key, or -1. */
interface BlockCreateStats {
  readonly root: number;
  /** Whether the dictionary is an augmented one. */
  readonly augmented: boolean;
}

const TAG = 0xcc26;
const MAX_FLAGS = 1;
const STATS_TAG = 0x17;
const STATS_EXT_TAG = 0x34;

/** Reads `ShardState.custom` of the masterchain. */
export function readMcStateExtra(cells: Cells, cell: number): McStateExtra {
  const slice = new Slice(cells, cell);
  if (slice.uint(16) !== TAG) throw new CellError('a masterchain state of an unknown form');
  return {
    shardHashes: slice.maybeRef(),
    configAddress: slice.hash(),
    config: slice.ref(),
    info: slice.ref(),
    globalBalance: readCurrencyCollection(slice),
  };
}

/** Reads `McStateExtra.info`. */
export function readMcStateInfo(cells: Cells, cell: number): McStateInfo {
  const slice = new Slice(cells, cell);
  const flags = slice.uint(16);
  if (flags > MAX_FLAGS) throw new CellError('a masterchain state of an unknown form');
  return {
    validatorListHashShort: slice.uint(32),
    catchainSeqno: slice.uint(32),
    nextCatchainUpdated: slice.boolean(),
    prevBlocks: readOldMcBlocks(slice),
    afterKeyBlock: slice.boolean(),
    lastKeyBlock: slice.boolean() ? readExtBlkRef(slice) : undefined,
    blockCreateStats: flags === 1 ? readBlockCreateStats(slice) : undefined,
  };
}

function readBlockCreateStats(slice: Slice): BlockCreateStats {
  const tag = slice.uint(8);
  if (tag !== STATS_TAG && tag !== STATS_EXT_TAG) throw new CellError('block statistics of an unknown form');
  const root = slice.maybeRef();
  if (tag === STATS_EXT_TAG) slice.skip(32);
  return { root, augmented: tag === STATS_EXT_TAG };
}

const MC_STATE_EXTRA = 0xcc26;
const WITH_STATS = 1;
const BLOCK_CREATE_STATS_TAG = 0x17;

/** Makes the cell of McStateExtra. */
export function buildMcStateExtra(arena: BuildingArena, extra: McStateExtra): number {
  const builder = new CellBuilder().uint(MC_STATE_EXTRA, 16).maybeRef(extra.shardHashes);
  builder.hash(extra.configAddress).ref(extra.config).ref(extra.info);
  writeCurrencyCollection(builder, extra.globalBalance);
  return arena.build(builder);
}

/** Makes the cell `McStateExtra.info`. */
export function buildMcStateInfo(arena: BuildingArena, info: McStateInfo): number {
  const { prevBlocks, lastKeyBlock, blockCreateStats: stats } = info;
  if (stats?.augmented) throw new CellError('block statistics are not written with extras');
  const builder = new CellBuilder().uint(stats === undefined ? 0 : WITH_STATS, 16);
  builder.uint(info.validatorListHashShort, 32).uint(info.catchainSeqno, 32);
  builder.boolean(info.nextCatchainUpdated);
  builder.maybeRef(prevBlocks.root).boolean(prevBlocks.hasKeyBlock).uint64(prevBlocks.maxEndLt);
  builder.boolean(info.afterKeyBlock).boolean(lastKeyBlock !== undefined);
  if (lastKeyBlock !== undefined) writeExtBlkRef(builder, lastKeyBlock);
  if (stats !== undefined) builder.uint(BLOCK_CREATE_STATS_TAG, 8).maybeRef(stats.root);
  return arena.build(builder);
}

/** The masterchain blocks before a state; each node of their dictionary tells what is found below. */
export interface OldMcBlocks {
  /** The root of the dictionary by seqno, or -1. */
  readonly root: number;
  /** Whether a key block is among them. */
  readonly hasKeyBlock: boolean;
  readonly maxEndLt: bigint;
}

/** An earlier masterchain block. */
export interface OldMcBlock extends ExtBlkRef {
  readonly isKeyBlock: boolean;
}

const SEQNO_BITS = 32;
const EXTRA_BITS = 1 + 64;

/** Reads an OldMcBlocksInfo. */
function readOldMcBlocks(slice: Slice): OldMcBlocks {
  return { root: slice.maybeRef(), hasKeyBlock: slice.boolean(), maxEndLt: slice.uint64() };
}

/** The earlier masterchain block with a seqno, or undefined; `root` is `OldMcBlocks.root`. */
export function lookUpOldMcBlock(cells: Cells, root: number, seqno: number): OldMcBlock | undefined {
  if (root < 0) return undefined;
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(seqno);
  const value = lookUp(cells, root, SEQNO_BITS, key);
  return value && readLeaf(value);
}

/** The last key block up to a seqno, or undefined. Touches no more cells than its proof needs. */
export function lastOldKeyBlock(cells: Cells, root: number, maxSeqno: number): OldMcBlock | undefined {
  return root < 0 ? undefined : lastKeyBelow(cells, root, 0, 0, maxSeqno);
}

/** `prefix` holds the first `depth` bits of the seqnos below a node, as a number. */
function lastKeyBelow(
  cells: Cells,
  node: number,
  depth: number,
  prefix: number,
  maxSeqno: number,
): OldMcBlock | undefined {
  const slice = new Slice(cells, node);
  const label = Buffer.alloc(8);
  const labelBits = readLabel(slice, SEQNO_BITS - depth, label, 0);
  const bitsLeft = SEQNO_BITS - depth - labelBits;
  const seqnos = prefix * 2 ** labelBits + Number(label.readBigUInt64BE() >> BigInt(64 - labelBits));
  if (seqnos * 2 ** bitsLeft > maxSeqno) return undefined;
  if (bitsLeft === 0) {
    const block = readLeaf(slice);
    return block.isKeyBlock ? block : undefined;
  }
  const children: [number, number] = [slice.ref(), slice.ref()];
  if (!slice.boolean()) return undefined;
  for (const bit of [1, 0] as const) {
    const found = lastKeyBelow(cells, children[bit], SEQNO_BITS - bitsLeft + 1, seqnos * 2 + bit, maxSeqno);
    if (found !== undefined) return found;
  }
  // This also keeps the search to one path and its edge, whatever the cells say.
  if ((seqnos + 1) * 2 ** bitsLeft > maxSeqno + 1) return undefined;
  throw new CellError('a list of blocks that announces a key block it does not have');
}

/** The extra of a leaf comes first; it repeats the block's own. */
function readLeaf(slice: Slice): OldMcBlock {
  slice.skip(EXTRA_BITS);
  const isKeyBlock = slice.boolean();
  return { isKeyBlock, ...readExtBlkRef(slice) };
}

/** Earlier masterchain blocks by seqno. Their nodes tell whether a key block is below, and the last logical time. */
export const OLD_MC_BLOCKS: DictionaryCodec<OldMcBlock, Omit<OldMcBlocks, 'root'>> = {
  keyBits: 32,
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

/** The key of an earlier masterchain block. */
export function oldMcBlockKey(seqno: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(seqno);
  return key;
}

/** How many blocks somebody made: in all, and as averages that fade over 2048 and 65536 seconds. */
export interface BlockCounters {
  readonly lastUpdated: number;
  readonly total: bigint;
  readonly count2048: bigint;
  readonly count65536: bigint;
}

/** The blocks that one validator made. */
export interface CreatorStats {
  readonly mcBlocks: BlockCounters;
  readonly shardBlocks: BlockCounters;
}

const CREATOR_STATS = 4;

/** The blocks that validators made, by public key; that of zeros stands for all together. */
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
