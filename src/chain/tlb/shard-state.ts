import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import {
  type ExtBlkRef,
  readExtBlkRef,
  readShardIdent,
  type ShardIdent,
  writeExtBlkRef,
  writeShardIdent,
} from './block-refs.ts';
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './currency.ts';

/** The state of one shard after a block. Parts with a cell of their own are named by it and read when asked for. */
export interface ShardState extends ShardIdent {
  readonly globalId: number;
  readonly seqno: number;
  readonly vertSeqno: number;
  readonly genUtime: number;
  readonly genLt: bigint;
  readonly minRefMcSeqno: number;
  /** For `readOutMsgQueueInfo`. */
  readonly outMsgQueueInfo: number;
  readonly beforeSplit: boolean;
  /** For `lookUpShardAccount` and its like. */
  readonly accounts: number;
  /** For `readShardStateTotals`. */
  readonly totals: number;
  /** For `readMcStateExtra`; -1 in a shard that is not the masterchain. */
  readonly custom: number;
}

const TAG = 0x9023afe2;
const SPLIT_TAG = 0x5f327da5;

/** Reads the state of one shard (ShardStateUnsplit). */
export function readShardState(cells: Cells, cell: number): ShardState {
  const slice = new Slice(cells, cell);
  if (slice.uint(32) !== TAG) throw new CellError('a shard state of an unknown form');
  const globalId = slice.int(32);
  const { workchain, shard } = readShardIdent(slice);
  return {
    globalId,
    workchain,
    shard,
    seqno: slice.uint(32),
    vertSeqno: slice.uint(32),
    genUtime: slice.uint(32),
    genLt: slice.uint64(),
    minRefMcSeqno: slice.uint(32),
    outMsgQueueInfo: slice.ref(),
    beforeSplit: slice.boolean(),
    accounts: slice.ref(),
    totals: slice.ref(),
    custom: slice.maybeRef(),
  };
}

/**
 * The two states that a split_state cell joins, or undefined for the state of one shard. No shard keeps such a state:
 * it is what the first block after a merge starts from.
 */
export function splitStateParts(cells: Cells, cell: number): [left: number, right: number] | undefined {
  const slice = new Slice(cells, cell);
  return slice.uint(32) === SPLIT_TAG ? [slice.ref(), slice.ref()] : undefined;
}

const SHARD_STATE = 0x9023afe2;

/** Makes the root cell of a shard's state (ShardStateUnsplit) from the cells of its parts. */
export function buildShardState(arena: BuildingArena, state: ShardState): number {
  const builder = new CellBuilder().uint(SHARD_STATE, 32).int(state.globalId, 32);
  writeShardIdent(builder, state);
  builder.uint(state.seqno, 32).uint(state.vertSeqno, 32).uint(state.genUtime, 32);
  builder.uint64(state.genLt).uint(state.minRefMcSeqno, 32).ref(state.outMsgQueueInfo);
  builder.boolean(state.beforeSplit).ref(state.accounts).ref(state.totals).maybeRef(state.custom);
  return arena.build(builder);
}

/** Makes the cell of what a state says about its shard as a whole. */
export function buildShardStateTotals(arena: BuildingArena, totals: ShardStateTotals): number {
  const builder = new CellBuilder().uint64(totals.overloadHistory).uint64(totals.underloadHistory);
  writeCurrencyCollection(builder, totals.totalBalance);
  writeCurrencyCollection(builder, totals.totalValidatorFees);
  builder.maybeRef(totals.libraries).boolean(totals.masterRef !== undefined);
  if (totals.masterRef !== undefined) writeExtBlkRef(builder, totals.masterRef);
  return arena.build(builder);
}

/** What a shard state says about the shard as a whole. */
export interface ShardStateTotals {
  readonly overloadHistory: bigint;
  readonly underloadHistory: bigint;
  readonly totalBalance: CurrencyCollection;
  readonly totalValidatorFees: CurrencyCollection;
  /** The root of the dictionary of public libraries, or -1; for `lookUpLibrary`. */
  readonly libraries: number;
  /** The masterchain block that the shard's last block refers to; undefined in the masterchain. */
  readonly masterRef: ExtBlkRef | undefined;
}

/** Reads `ShardState.totals`. */
export function readShardStateTotals(cells: Cells, cell: number): ShardStateTotals {
  const slice = new Slice(cells, cell);
  return {
    overloadHistory: slice.uint64(),
    underloadHistory: slice.uint64(),
    totalBalance: readCurrencyCollection(slice),
    totalValidatorFees: readCurrencyCollection(slice),
    libraries: slice.maybeRef(),
    masterRef: slice.boolean() ? readExtBlkRef(slice) : undefined,
  };
}
