import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/** Parameters 22 (masterchain) and 23: how large a block may be. */
export interface BlockLimits {
  readonly bytes: ParamLimits;
  readonly gas: ParamLimits;
  readonly ltDelta: ParamLimits;
  /** Undefined in the older form. */
  readonly collatedData: ParamLimits | undefined;
  readonly importedMsgQueue: ImportedMsgQueueLimits | undefined;
}

/** Three marks of one measure. */
export interface ParamLimits {
  readonly underload: number;
  readonly softLimit: number;
  readonly hardLimit: number;
}

/** How much of another shard's queue a block may take in. */
export interface ImportedMsgQueueLimits {
  readonly maxBytes: number;
  readonly maxMsgs: number;
}

const TAG = 0x5d;
const TAG_V2 = 0x5e;
const PARAM_TAG = 0xc3;
const QUEUE_TAG = 0xd3;

/** Reads parameter 22 or 23. */
export function readBlockLimits(cells: Cells, cell: number): BlockLimits {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== TAG && tag !== TAG_V2) throw new CellFault('block limits of an unknown form');
  return {
    bytes: readParamLimits(slice),
    gas: readParamLimits(slice),
    ltDelta: readParamLimits(slice),
    collatedData: tag === TAG_V2 ? readParamLimits(slice) : undefined,
    importedMsgQueue: tag === TAG_V2 ? readQueueLimits(slice) : undefined,
  };
}

function readParamLimits(slice: Slice): ParamLimits {
  if (slice.uint(8) !== PARAM_TAG) throw new CellFault('a block limit of an unknown form');
  return { underload: slice.uint(32), softLimit: slice.uint(32), hardLimit: slice.uint(32) };
}

function readQueueLimits(slice: Slice): ImportedMsgQueueLimits {
  if (slice.uint(8) !== QUEUE_TAG) throw new CellFault('a queue limit of an unknown form');
  return { maxBytes: slice.uint(32), maxMsgs: slice.uint(32) };
}
