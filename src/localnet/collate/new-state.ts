import type { ValueFlow } from '../../chain/tlb/value-flow.ts';
import { buildOutMsgQueueInfo } from '../../chain/tlb-write/out-msg-queue-info.ts';
import { buildShardAccounts } from '../../chain/tlb-write/shard-accounts.ts';
import { buildShardState, buildShardStateTotals } from '../../chain/tlb-write/shard-state.ts';
import type { BlockDraft } from './block-draft.ts';
import type { BlockFrame, MasterchainParts } from './block-frame.ts';
import { difference, sumOf } from './currency-math.ts';
import type { LoadHistory } from './load-history.ts';
import { viewRef } from './masterchain-view.ts';
import { buildProcessed, type ProcessedList } from './processed-upto.ts';

/** What has become of the parts of a state. */
export interface StateParts {
  readonly accounts: number;
  readonly processed: ProcessedList;
  readonly minRefMcSeqno: number;
  readonly flow: ValueFlow;
  readonly history: LoadHistory;
  readonly special: MasterchainParts | undefined;
}

const STORE_QUEUE_SIZE = 64n;

/** Builds the state after a block; gives its cell. */
export function buildNewState(draft: BlockDraft, frame: BlockFrame, parts: StateParts): number {
  const { arena, shard, view, before, now } = draft.input;
  const { flow, history, special } = parts;
  const withSize = (view.config.capabilities & STORE_QUEUE_SIZE) !== 0n;
  const { dispatchQueue } = before;
  const outMsgQueueInfo = buildOutMsgQueueInfo(arena, {
    outQueue: draft.queue.root,
    processedInfo: buildProcessed(arena, parts.processed),
    extra:
      withSize || dispatchQueue >= 0
        ? { dispatchQueue, outQueueSize: withSize ? draft.queue.size : undefined }
        : undefined,
  });
  const collected = sumOf(arena, before.totals.totalValidatorFees, flow.feesCollected);
  const totals = buildShardStateTotals(arena, {
    overloadHistory: history.overloadHistory,
    underloadHistory: history.underloadHistory,
    totalBalance: flow.toNextBlock,
    totalValidatorFees: difference(arena, collected, flow.recovered),
    libraries: special?.libraries ?? -1,
    masterRef: draft.isMasterchain ? undefined : viewRef(view),
  });
  return buildShardState(arena, {
    globalId: before.state.globalId,
    ...shard,
    seqno: frame.seqno,
    vertSeqno: before.state.vertSeqno,
    genUtime: now,
    genLt: draft.maxLt,
    minRefMcSeqno: parts.minRefMcSeqno,
    outMsgQueueInfo,
    beforeSplit: frame.beforeSplit,
    accounts: buildShardAccounts(arena, parts.accounts),
    totals,
    custom: special?.stateExtra ?? -1,
  });
}
