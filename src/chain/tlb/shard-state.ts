import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { readShardIdent, type ShardIdent } from './shard-ident.ts';

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
  if (slice.uint(32) !== TAG) throw new CellFault('a shard state of an unknown form');
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
