import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';
import { type ExtBlkRef, readExtBlkRef } from './ext-blk-ref.ts';
import { type OldMcBlocks, readOldMcBlocks } from './old-mc-blocks.ts';

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
export interface BlockCreateStats {
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
  if (slice.uint(16) !== TAG) throw new CellFault('a masterchain state of an unknown form');
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
  if (flags > MAX_FLAGS) throw new CellFault('a masterchain state of an unknown form');
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
  if (tag !== STATS_TAG && tag !== STATS_EXT_TAG) throw new CellFault('block statistics of an unknown form');
  const root = slice.maybeRef();
  if (tag === STATS_EXT_TAG) slice.skip(32);
  return { root, augmented: tag === STATS_EXT_TAG };
}
