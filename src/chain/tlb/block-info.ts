import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type ExtBlkRef, readExtBlkRef } from './ext-blk-ref.ts';
import { readShardIdent } from './shard-ident.ts';

/** What a block says about itself. */
export interface BlockInfo {
  readonly version: number;
  readonly notMaster: boolean;
  readonly afterMerge: boolean;
  readonly beforeSplit: boolean;
  readonly afterSplit: boolean;
  readonly wantSplit: boolean;
  readonly wantMerge: boolean;
  readonly keyBlock: boolean;
  readonly vertSeqnoIncr: boolean;
  readonly flags: number;
  readonly seqno: number;
  readonly vertSeqno: number;
  readonly workchain: number;
  /** A signed 64-bit number. */
  readonly shard: bigint;
  readonly genUtime: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  /** An unsigned number. */
  readonly genValidatorListHashShort: number;
  readonly genCatchainSeqno: number;
  readonly minRefMcSeqno: number;
  readonly prevKeyBlockSeqno: number;
  readonly genSoftware: { readonly version: number; readonly capabilities: bigint } | undefined;
  /** The masterchain block that a shard block builds on. */
  readonly masterRef: ExtBlkRef | undefined;
  /** The block before; after a merge the two blocks before, left shard first. */
  readonly prevRefs: readonly ExtBlkRef[];
  readonly prevVertRef: ExtBlkRef | undefined;
}

const BLOCK_INFO = 0x9bc7a987;
const GLOBAL_VERSION = 0xc4;
const MAX_FLAGS = 1;

/** Reads a BlockInfo. */
export function readBlockInfo(cells: Cells, cell: number): BlockInfo {
  const slice = new Slice(cells, cell);
  if (slice.uint(32) !== BLOCK_INFO) throw new CellFault('not a block header');
  const version = slice.uint(32);
  const notMaster = slice.boolean();
  const afterMerge = slice.boolean();
  const beforeSplit = slice.boolean();
  const afterSplit = slice.boolean();
  const wantSplit = slice.boolean();
  const wantMerge = slice.boolean();
  const keyBlock = slice.boolean();
  const vertSeqnoIncr = slice.boolean();
  const flags = slice.uint(8);
  if (flags > MAX_FLAGS) throw new CellFault('a block header with unknown flags');
  return {
    version,
    notMaster,
    afterMerge,
    beforeSplit,
    afterSplit,
    wantSplit,
    wantMerge,
    keyBlock,
    vertSeqnoIncr,
    flags,
    seqno: slice.uint(32),
    vertSeqno: slice.uint(32),
    ...readShardIdent(slice),
    genUtime: slice.uint(32),
    startLt: slice.uint64(),
    endLt: slice.uint64(),
    genValidatorListHashShort: slice.uint(32),
    genCatchainSeqno: slice.uint(32),
    minRefMcSeqno: slice.uint(32),
    prevKeyBlockSeqno: slice.uint(32),
    genSoftware: flags & 1 ? readSoftware(slice) : undefined,
    masterRef: notMaster ? readExtBlkRef(slice.refSlice()) : undefined,
    prevRefs: readPrevious(slice.refSlice(), afterMerge),
    prevVertRef: vertSeqnoIncr ? readExtBlkRef(slice.refSlice()) : undefined,
  };
}

function readPrevious(slice: Slice, afterMerge: boolean): ExtBlkRef[] {
  if (!afterMerge) return [readExtBlkRef(slice)];
  return [readExtBlkRef(slice.refSlice()), readExtBlkRef(slice.refSlice())];
}

function readSoftware(slice: Slice): BlockInfo['genSoftware'] {
  if (slice.uint(8) !== GLOBAL_VERSION) throw new CellFault('not a global version');
  return { version: slice.uint(32), capabilities: slice.uint64() };
}
