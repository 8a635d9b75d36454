import type { FutureSplitMerge } from '../../chain/tlb/shard-hashes-descr.ts';
import type { MasterchainView } from './masterchain-view.ts';

/** The last block before a split must not come in the last seconds of the time for it. */
const SPLIT_MARGIN_SECONDS = 13;
/** From this version on blocks may have the time of the block before. */
const SAME_TIME_VERSION = 13;

/** The time of a block: not before that of the blocks it builds on and refers to. */
export function timeAfter(now: number, { config, state }: MasterchainView, before: number): number {
  const step = config.version >= SAME_TIME_VERSION ? 0 : 1;
  return Math.max(now, state.genUtime + step, before + step);
}

/** Whether a block is the last before a split that is planned. */
export function isBeforeSplit(plan: FutureSplitMerge | undefined, now: number): boolean {
  if (plan?.kind !== 'split') return false;
  return now >= plan.utime && now + SPLIT_MARGIN_SECONDS < plan.utime + plan.interval;
}
