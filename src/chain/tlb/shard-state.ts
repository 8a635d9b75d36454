import { CellBag } from '../boc/bag.ts';
import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells, EXOTIC_BIT, LEVEL_SHIFT, PRUNED_BRANCH } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { CellArena } from '../state/arena.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { readExtBlkRef, readShardIdent, writeExtBlkRef, writeShardIdent } from './block.ts';
import { readCurrencyCollection, writeCurrencyCollection } from './currency.ts';

// shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:# gen_utime:uint32 gen_lt:uint64
//   min_ref_mc_seqno:uint32 out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1) accounts:^ShardAccounts
//   ^[ overload_history:uint64 underload_history:uint64 total_balance:CurrencyCollection
//   total_validator_fees:CurrencyCollection libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ]
//   custom:(Maybe ^McStateExtra) = ShardStateUnsplit;

/** The state of one shard after a block. Parts with their own cell are given by it and read on demand. */
export type ShardState = Readonly<ReturnType<typeof readShardState>>;

const SHARD_STATE = 0x9023afe2;

/** Reads the state of one shard (ShardStateUnsplit). */
export function readShardState(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  if (slice.uint(32) !== SHARD_STATE) throw new CellError('unknown tag of a shard state');
  return {
    globalId: slice.int(32),
    ...readShardIdent(slice),
    seqno: slice.uint(32),
    vertSeqno: slice.uint(32),
    genUtime: slice.uint(32),
    genLt: slice.uint64(),
    minRefMcSeqno: slice.uint(32),
    /** For `readOutMsgQueueInfo`. */
    outMsgQueueInfo: slice.ref(),
    beforeSplit: slice.boolean(),
    /** For `lookUpShardAccount` and similar functions. */
    accounts: slice.ref(),
    /** For `readShardStateTotals`. */
    totals: slice.ref(),
    /** For `readMcStateExtra`; -1 in a shard that is not the masterchain. */
    custom: slice.maybeRef(),
  };
}

/** Builds the root cell of a shard's state (ShardStateUnsplit) from the cells of its parts. */
export function buildShardState(arena: BuildingArena, state: ShardState): number {
  const builder = new CellBuilder().uint(SHARD_STATE, 32).int(state.globalId, 32);
  writeShardIdent(builder, state);
  builder.uint(state.seqno, 32).uint(state.vertSeqno, 32).uint(state.genUtime, 32);
  builder.uint64(state.genLt).uint(state.minRefMcSeqno, 32).ref(state.outMsgQueueInfo);
  builder.boolean(state.beforeSplit).ref(state.accounts).ref(state.totals).maybeRef(state.custom);
  return arena.build(builder);
}

/** Totals, libraries and masterchain reference of a shard state. */
export type ShardStateTotals = Readonly<ReturnType<typeof readShardStateTotals>>;

/** Reads `ShardState.totals`. */
export function readShardStateTotals(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  return {
    overloadHistory: slice.uint64(),
    underloadHistory: slice.uint64(),
    totalBalance: readCurrencyCollection(slice),
    totalValidatorFees: readCurrencyCollection(slice),
    /** The root of the dictionary of public libraries, or -1; for `lookUpLibrary`. */
    libraries: slice.maybeRef(),
    /** The masterchain block that the shard's last block refers to; undefined in the masterchain. */
    masterRef: slice.boolean() ? readExtBlkRef(slice) : undefined,
  };
}

/** Builds the cell `ShardState.totals`. */
export function buildShardStateTotals(arena: BuildingArena, totals: ShardStateTotals): number {
  const builder = new CellBuilder().uint64(totals.overloadHistory).uint64(totals.underloadHistory);
  writeCurrencyCollection(builder, totals.totalBalance);
  writeCurrencyCollection(builder, totals.totalValidatorFees);
  builder.maybeRef(totals.libraries).boolean(totals.masterRef !== undefined);
  if (totals.masterRef !== undefined) writeExtBlkRef(builder, totals.masterRef);
  return arena.build(builder);
}

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
