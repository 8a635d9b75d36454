import { hash } from 'node:crypto';
import type { BlockId } from '../../chain/block-id.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { makeMerkleUpdate } from '../../chain/state/merkle-updates.ts';
import { buildShardAccountBlocks, SHARD_ACCOUNT_BLOCKS } from '../../chain/tlb/account-blocks.ts';
import {
  type BlockInfo,
  buildBlock,
  buildBlockExtra,
  buildBlockInfo,
  buildValueFlow,
  type ExtBlkRef,
  type ValueFlow,
} from '../../chain/tlb/block.ts';
import { Dictionary, type DictionaryCodec } from '../../chain/tlb/dictionary.ts';
import {
  buildInMsgDescr,
  buildOutMsgDescr,
  inMsgDescrCodec,
  outMsgDescrCodec,
} from '../../chain/tlb/msg-descr.ts';
import { buildOutMsgQueueInfo } from '../../chain/tlb/queues.ts';
import { buildShardAccounts, SHARD_ACCOUNTS } from '../../chain/tlb/shard-accounts.ts';
import { buildShardState, buildShardStateTotals } from '../../chain/tlb/shard-state.ts';
import type { BlockDraft } from './block-draft.ts';
import { type LoadHistory, nextHistory } from './block-load.ts';
import { lastKeyBlock, viewRef } from './masterchain-view.ts';
import { buildProcessed, oldestSeqno, type ProcessedList, withProcessed } from './processed-upto.ts';
import { type BlockIncome, difference, sumOf, valueFlowOf } from './value-flow.ts';

/** Header data of a block: its creator and its position. */
export interface BlockFrame {
  readonly seqno: number;
  readonly previous: ExtBlkRef;
  readonly beforeSplit: boolean;
  readonly afterSplit: boolean;
  /** Its validator group, as named in the header. */
  readonly validatorListHashShort: number;
  readonly catchainSeqno: number;
  readonly createdBy: Buffer;
  readonly software: BlockInfo['genSoftware'];
}

export interface MasterchainParts {
  readonly keyBlock: boolean;
  /** Cells of McBlockExtra and McStateExtra. */
  readonly blockExtra: number;
  readonly stateExtra: number;
  /** Root of the public libraries after the block. */
  readonly libraries: number;
  /** Oldest masterchain block that a shard still references. */
  readonly minRefMcSeqno: number;
}

/** A finished block with the state after it. */
export type BuiltBlock = Readonly<ReturnType<typeof finishBlock>>;

const REPORT_VERSION = 8n;
const NO_SEQNO = 0xffffffff;

/** Builds a block from its draft; `masterchain` builds its special parts once the accounts are known. */
export function finishBlock(
  draft: BlockDraft,
  frame: BlockFrame,
  income: BlockIncome,
  masterchain?: (accounts: number) => MasterchainParts,
) {
  const { input, accounts: book } = draft;
  const { arena, shard, view, before, now, startLt, randSeed } = input;
  const { version, capabilities, burning } = view.config;
  const inForm = inMsgDescrCodec(version);
  const outForm = outMsgDescrCodec(version);
  const inMessages = buildDescr(draft, inForm, draft.inMessages);
  const outMessages = buildDescr(draft, outForm, draft.outMessages);
  const accountBlocks = book.buildBlocks();
  const accounts = book.build();
  const special = masterchain?.(accounts);

  const processed = nextProcessed(draft, frame.seqno);
  const ownSeqno = draft.isMasterchain ? frame.seqno : view.id.seqno;
  const minRefMcSeqno = Math.min(special?.minRefMcSeqno ?? NO_SEQNO, ownSeqno, oldestSeqno(processed));
  const sums = {
    before: before.totals.totalBalance,
    after: new Dictionary(arena, SHARD_ACCOUNTS).extra(accounts).balance,
    imports: new Dictionary(arena, inForm).extra(inMessages),
    exported: new Dictionary(arena, outForm).extra(outMessages),
    transactionFees: new Dictionary(arena, SHARD_ACCOUNT_BLOCKS).extra(accountBlocks),
    burned: draft.burned,
  };
  const flow = valueFlowOf(arena, income, sums, draft.isMasterchain ? burning : undefined);
  const history = nextHistory(before.totals, draft.load.class, draft.queue.size);
  const state = buildNewState(draft, frame, { accounts, processed, minRefMcSeqno, flow, history, special });
  const info: BlockInfo = {
    version: 0,
    notMaster: !draft.isMasterchain,
    afterMerge: false,
    beforeSplit: frame.beforeSplit,
    afterSplit: frame.afterSplit,
    wantSplit: history.wantSplit,
    wantMerge: history.wantMerge,
    keyBlock: special?.keyBlock ?? false,
    vertSeqnoIncr: false,
    flags: capabilities & REPORT_VERSION ? 1 : 0,
    seqno: frame.seqno,
    vertSeqno: before.state.vertSeqno,
    ...shard,
    genUtime: now,
    startLt,
    endLt: draft.maxLt,
    genValidatorListHashShort: frame.validatorListHashShort,
    genCatchainSeqno: frame.catchainSeqno,
    minRefMcSeqno,
    prevKeyBlockSeqno: lastKeyBlock(view)?.seqno ?? 0,
    genSoftware: capabilities & REPORT_VERSION ? frame.software : undefined,
    masterRef: draft.isMasterchain ? undefined : viewRef(view),
    prevRefs: [frame.previous],
    prevVertRef: undefined,
  };
  const block = buildBlock(arena, {
    globalId: before.state.globalId,
    info: buildBlockInfo(arena, info),
    valueFlow: buildValueFlow(arena, flow),
    stateUpdate: makeMerkleUpdate(arena, before.root, state),
    extra: buildBlockExtra(arena, {
      inMsgDescr: buildInMsgDescr(arena, inMessages, version),
      outMsgDescr: buildOutMsgDescr(arena, outMessages, version),
      accountBlocks: buildShardAccountBlocks(arena, accountBlocks),
      randSeed,
      createdBy: frame.createdBy,
      masterchain: special?.blockExtra ?? -1,
    }),
  });
  const boc = writeBoc({ cells: arena, roots: [block] }, { order: 'tonlib' });
  const id: BlockId = {
    ...shard,
    seqno: frame.seqno,
    rootHash: Buffer.from(arena.hash(block)),
    fileHash: hash('sha256', boc, 'buffer'),
  };
  return {
    id,
    boc,
    info,
    flow,
    /** Public key of the validator that created it. */
    createdBy: frame.createdBy,
    /** The cell of the state after it. */
    state,
    transactions: draft.transactions,
  };
}

function buildDescr<Value, Extra>(
  { input }: BlockDraft,
  form: DictionaryCodec<Value, Extra>,
  messages: ReadonlyMap<string, Value>,
): number {
  const entries = [...messages].map(([hash, message]) => [Buffer.from(hash, 'latin1'), message] as const);
  return new Dictionary(input.arena, form).build(entries.sort(([a], [b]) => a.compare(b)));
}

/** Messages that the shard has processed after the block. */
function nextProcessed(draft: BlockDraft, seqno: number): ProcessedList {
  const { before, view } = draft.input;
  const mcSeqno = draft.isMasterchain ? seqno : view.id.seqno;
  const { lastDelivered } = draft;
  if (lastDelivered !== undefined)
    return withProcessed(before.processed, mcSeqno, lastDelivered.lt, lastDelivered.hash);
  const { genLt } = view.state;
  if (!draft.allImported || genLt === 0n) return before.processed;
  return withProcessed(before.processed, mcSeqno, genLt - 1n);
}

interface StateParts {
  readonly accounts: number;
  readonly processed: ProcessedList;
  readonly minRefMcSeqno: number;
  readonly flow: ValueFlow;
  readonly history: LoadHistory;
  readonly special: MasterchainParts | undefined;
}

const STORE_QUEUE_SIZE = 64n;

function buildNewState(draft: BlockDraft, frame: BlockFrame, parts: StateParts): number {
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
