import { hash } from 'node:crypto';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { makeMerkleUpdate } from '../../chain/state/make-merkle-update.ts';
import type { BlockInfo } from '../../chain/tlb/block-info.ts';
import { buildShardAccountBlocks, SHARD_ACCOUNT_BLOCKS } from '../../chain/tlb-write/account-blocks.ts';
import { buildBlock } from '../../chain/tlb-write/block.ts';
import { buildBlockExtra } from '../../chain/tlb-write/block-extra.ts';
import { buildBlockInfo } from '../../chain/tlb-write/block-info.ts';
import { Dictionary } from '../../chain/tlb-write/dictionary.ts';
import type { DictionaryForm } from '../../chain/tlb-write/dictionary-form.ts';
import { buildInMsgDescr, inMsgDescrForm } from '../../chain/tlb-write/in-msg-descr.ts';
import { buildOutMsgDescr, outMsgDescrForm } from '../../chain/tlb-write/out-msg-descr.ts';
import { SHARD_ACCOUNTS } from '../../chain/tlb-write/shard-accounts.ts';
import { buildValueFlow } from '../../chain/tlb-write/value-flow.ts';
import type { BlockDraft } from './block-draft.ts';
import type { BlockFrame, MasterchainParts } from './block-frame.ts';
import { type BlockIncome, flowOf } from './block-values.ts';
import type { BuiltBlock } from './built-block.ts';
import { nextHistory } from './load-history.ts';
import { lastKeyBlock, viewRef } from './masterchain-view.ts';
import { buildNewState } from './new-state.ts';
import { oldestSeqno, type ProcessedList, withProcessed } from './processed-upto.ts';

const REPORT_VERSION = 8n;
const NO_SEQNO = 0xffffffff;

/** Builds a block from its draft; `masterchain` makes its special parts once the accounts are known. */
export function finishBlock(
  draft: BlockDraft,
  frame: BlockFrame,
  income: BlockIncome,
  masterchain?: (accounts: number) => MasterchainParts,
): BuiltBlock {
  const { input, book } = draft;
  const { arena, shard, view, before, now, startLt, randSeed } = input;
  const { version, capabilities, burning } = view.config;
  const inForm = inMsgDescrForm(version);
  const outForm = outMsgDescrForm(version);
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
  const flow = flowOf(arena, income, sums, draft.isMasterchain ? burning : undefined);
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
  const id = {
    ...shard,
    seqno: frame.seqno,
    rootHash: Buffer.from(arena.hash(block)),
    fileHash: hash('sha256', boc, 'buffer'),
  };
  return { id, boc, info, flow, createdBy: frame.createdBy, state, transactions: draft.transactions };
}

function buildDescr<Value, Extra>(
  { input }: BlockDraft,
  form: DictionaryForm<Value, Extra>,
  messages: ReadonlyMap<string, Value>,
): number {
  const entries = [...messages].map(([hash, message]) => [Buffer.from(hash, 'latin1'), message] as const);
  return new Dictionary(input.arena, form).build(entries.sort(([a], [b]) => a.compare(b)));
}

/** What the shard has taken in after the block. */
function nextProcessed(draft: BlockDraft, seqno: number): ProcessedList {
  const { lastDelivered, allTakenIn } = draft;
  const { before, view } = draft.input;
  const mcSeqno = draft.isMasterchain ? seqno : view.id.seqno;
  if (lastDelivered !== undefined)
    return withProcessed(before.processed, mcSeqno, lastDelivered.lt, lastDelivered.hash);
  const { genLt } = view.state;
  if (!allTakenIn || genLt === 0n) return before.processed;
  return withProcessed(before.processed, mcSeqno, genLt - 1n);
}
