import type { ShardStateTotals } from '../../chain/tlb/shard-state-totals.ts';
import type { LoadClass } from './block-load.ts';

/** The load of the last 64 blocks, a bit for each, and what follows from it. */
export interface LoadHistory extends Pick<ShardStateTotals, 'overloadHistory' | 'underloadHistory'> {
  readonly wantSplit: boolean;
  readonly wantMerge: boolean;
}

/** Longer queues than these keep a shard from wanting to split or to merge. */
const MAX_QUEUE_TO_SPLIT = 100_000;
const MAX_QUEUE_TO_MERGE = 2047;
/** A queue of this length is a load of its own. */
const OVERLOADED_QUEUE = 4096;

/** The history with one more block. */
export function nextHistory(before: ShardStateTotals, load: LoadClass, queueSize: number): LoadHistory {
  const isFull = load === 'soft' || load === 'medium' || load === 'hard';
  const isOver = (isFull || queueSize >= OVERLOADED_QUEUE) && queueSize <= MAX_QUEUE_TO_SPLIT;
  const isUnder = load === 'underload' && queueSize <= MAX_QUEUE_TO_MERGE;
  const overloadHistory = pushed(before.overloadHistory, isOver);
  const underloadHistory = pushed(before.underloadHistory, isUnder);
  const wantSplit = weight(overloadHistory) >= 0;
  return {
    overloadHistory,
    underloadHistory,
    wantSplit,
    wantMerge: !wantSplit && weight(underloadHistory) >= 0,
  };
}

function pushed(history: bigint, bit: boolean): bigint {
  return BigInt.asUintN(64, history << 1n) | (bit ? 1n : 0n);
}

/** Newer blocks count more; 0 or more when two thirds of the last 48 are marked. */
function weight(history: bigint): number {
  const part = (at: bigint): number => ones((history >> at) & 0xffffn);
  return part(0n) * 3 + part(16n) * 2 + part(32n) - 64;
}

function ones(bits: bigint): number {
  return bits.toString(2).replaceAll('0', '').length;
}
