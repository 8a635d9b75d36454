import type { Slice } from '../boc/slice.ts';

/** Where an account that is split or merged stands. */
export interface SplitMergeInfo {
  readonly curShardPfxLen: number;
  readonly accSplitDepth: number;
  readonly thisAddr: Buffer;
  readonly siblingAddr: Buffer;
}

/** Reads a SplitMergeInfo. */
export function readSplitMergeInfo(slice: Slice): SplitMergeInfo {
  return {
    curShardPfxLen: slice.uint(6),
    accSplitDepth: slice.uint(6),
    thisAddr: slice.hash(),
    siblingAddr: slice.hash(),
  };
}
