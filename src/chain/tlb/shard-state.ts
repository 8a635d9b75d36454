import { CellBag } from '../boc/bag.ts';
import { type Cells, EXOTIC_BIT, LEVEL_SHIFT, PRUNED_BRANCH } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { CellArena } from '../state/arena.ts';
import { EXT_BLK_REF, SHARD_IDENT } from './block.ts';
import {
  BOOL,
  INT32,
  MAYBE_REF,
  maybe,
  REF,
  record,
  tagged,
  UINT32,
  UINT64,
  type ValueOf,
} from './codecs.ts';
import { CURRENCY_COLLECTION } from './currency.ts';

/** The state of one shard after a block. Parts with their own cell are given by it and read on demand. */
const SHARD_STATE = tagged('shard_state#9023afe2', 'unknown tag of a shard state', {
  globalId: INT32,
  '...': SHARD_IDENT,
  seqno: UINT32,
  vertSeqno: UINT32,
  genUtime: UINT32,
  genLt: UINT64,
  minRefMcSeqno: UINT32,
  /** For `readOutMsgQueueInfo`. */
  outMsgQueueInfo: REF,
  beforeSplit: BOOL,
  /** For `lookUpShardAccount` and similar functions. */
  accounts: REF,
  /** For `readShardStateTotals`. */
  totals: REF,
  /** For `readMcStateExtra`; -1 in a shard that is not the masterchain. */
  custom: MAYBE_REF,
});

export type ShardState = ValueOf<typeof SHARD_STATE>;

export const { open: readShardState, build: buildShardState } = SHARD_STATE;

/** Totals, libraries and masterchain reference of a shard state: the cell `ShardState.totals`. */
const SHARD_STATE_TOTALS = record({
  overloadHistory: UINT64,
  underloadHistory: UINT64,
  totalBalance: CURRENCY_COLLECTION,
  totalValidatorFees: CURRENCY_COLLECTION,
  /** The root of the dictionary of public libraries, or -1; for `lookUpLibrary`. */
  libraries: MAYBE_REF,
  /** The masterchain block that the shard's last block refers to; undefined in the masterchain. */
  masterRef: maybe(EXT_BLK_REF),
});

export type ShardStateTotals = ValueOf<typeof SHARD_STATE_TOTALS>;

export const { open: readShardStateTotals, build: buildShardStateTotals } = SHARD_STATE_TOTALS;

// split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState;

const SPLIT_STATE = 0x5f327da5;

/**
 * The two states in a split_state cell, or undefined for the state of one shard. No shard keeps such a state:
 * the first block after a merge starts from it.
 */
export function splitStateParts(cells: Cells, cell: number): [left: number, right: number] | undefined {
  const slice = new Slice(cells, cell);
  return slice.uint(32) === SPLIT_STATE ? [slice.ref(), slice.ref()] : undefined;
}

const ROOT_BYTES = 4 + 2;
const PRUNED_BYTES = 2 + 32 + 2;
const PRUNED_LEVEL = 1;

/**
 * Joins the states of two halves of a shard in one cell (split_state): the update of the first block after a
 * merge starts from it. A split needs nothing similar: both updates start from the state before.
 */
export function joinStates(arena: CellArena, left: number, right: number): number {
  const bytes = Buffer.allocUnsafe(ROOT_BYTES + 2 * PRUNED_BYTES);
  bytes.writeUInt32BE(SPLIT_STATE, 0);
  let at = 4;
  bytes[at++] = 1;
  bytes[at++] = 2;
  for (const state of [left, right]) {
    bytes[at] = PRUNED_BRANCH;
    bytes[at + 1] = PRUNED_LEVEL;
    arena.copyHash(state, 0, bytes, at + 2);
    bytes.writeUInt16BE(arena.depth(state, 0), at + 34);
    at += PRUNED_BYTES;
  }
  const pruned = EXOTIC_BIT | (PRUNED_LEVEL << LEVEL_SHIFT);
  const columns = {
    bytes,
    refSize: 1,
    count: 3,
    heads: Uint8Array.of(2 | (PRUNED_LEVEL << LEVEL_SHIFT), pruned, pruned),
    starts: Uint32Array.of(0, ROOT_BYTES, ROOT_BYTES + PRUNED_BYTES),
    bits: Uint16Array.of(32, PRUNED_BYTES * 8, PRUNED_BYTES * 8),
  };
  return arena.add(new CellBag(columns, [0]), 0);
}
