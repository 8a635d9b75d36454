import { readBoc } from '../chain/boc/bag.ts';
import type { Payer } from '../lib/payer.ts';
import type { PayerBudget } from '../lib/payer-budget.ts';
import { readTransactionPrefix } from '../lite/methods/transactions.ts';
import type { PendingCounts } from '../observe/pending-metrics.ts';
import type { PendingEntry } from './entries.ts';
import type { OnChainPart } from './follow-chain.ts';
import type {
  EmulatedTrace,
  EmulatedTransaction,
  EmulationAccounts,
  EmulationBound,
  EmulationRefusal,
  Finality,
  PendingClassification,
  PendingTransaction,
  StoredTrace,
} from './pending-traces.ts';

export interface PredictionContext {
  readonly emulate: Emulate;
  readonly classify: Classify;
  /** Accounts after transactions that the masterchain does not have yet. */
  readonly signedAccount: EmulationAccounts;
  /** Of TVM time. */
  readonly budget: Pick<PayerBudget, 'retrySeconds'>;
  readonly metrics: PendingCounts;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

/** A trace, or why there is none: the account does not accept the message, or the sender has no emulation time left. */
type Prediction = StoredTrace | 'refused' | 'spent';

/** Predicts what a message will do at the newest block. Throws if it cannot be emulated now. */
export async function predict(context: PredictionContext, entry: PendingEntry): Promise<Prediction> {
  const outcome = await emulateFor(context, entry, { external: entry.message.boc });
  if (outcome === 'spent') return outcome;
  entry.predictedAt = context.clock();
  if ('kind' in outcome) {
    entry.refusedAtSeqno = outcome.mcSeqno;
    return 'refused';
  }
  entry.baseLt = previousLt(outcome.transactions[0]!);
  return finish(context, entry, joinParts(undefined, outcome));
}

/** Predicts what the open messages of the part in blocks will do. Never throws: that part is certain anyway. */
export async function predictRest(
  context: PredictionContext,
  entry: PendingEntry,
  onChain: OnChainPart,
): Promise<StoredTrace> {
  entry.predictedAt = context.clock();
  if (onChain.open.length === 0) return finish(context, entry, joinParts(onChain, undefined));
  const start = { internal: onChain.open.map(({ boc }) => boc), account: context.signedAccount };
  const outcome = await emulateFor(context, entry, start).catch(() => 'spent' as const);
  const predicted = outcome === 'spent' || 'kind' in outcome ? undefined : outcome;
  return finish(context, entry, joinParts(onChain, predicted));
}

async function emulateFor(
  { emulate, budget, metrics, signal }: PredictionContext,
  { payer }: PendingEntry,
  start: EmulationStart,
): Promise<EmulatedTrace | EmulationRefusal | 'spent'> {
  if (budget.retrySeconds(payer) > 0) return 'spent';
  const outcome = await emulate(start, { payer, signal });
  metrics.emulated(outcome.vmSeconds);
  return outcome;
}

async function finish(
  { classify, clock, signal }: PredictionContext,
  entry: PendingEntry,
  trace: TraceParts,
): Promise<StoredTrace> {
  return toStored(entry, trace, await classify(toClassify(entry, trace), signal), clock());
}

/** The start of an emulation: an external message, or the undelivered messages of a trace. */
type EmulationStart =
  | { readonly external: Uint8Array }
  | { readonly internal: readonly Uint8Array[]; readonly account: EmulationAccounts };

/** Emulates messages at the newest block; rejects if that is not possible now. */
export type Emulate = (
  start: EmulationStart,
  limits: { readonly payer: Payer; readonly signal: AbortSignal },
) => Promise<EmulatedTrace | EmulationRefusal>;

interface TraceToClassify extends Pick<StoredTrace, 'externalHash' | 'normalizedHash'> {
  /** The first received the external message. */
  readonly transactions: readonly (Pick<PendingTransaction, 'account' | 'boc' | 'mcSeqno'> & {
    /** The ShardAccount after a predicted transaction. */
    readonly after?: Uint8Array | undefined;
  })[];
}

/** Finds the actions of a trace. Never rejects. */
export type Classify = (trace: TraceToClassify, signal: AbortSignal) => Promise<PendingClassification>;

type TraceParts = Readonly<ReturnType<typeof joinParts>>;

/** Joins the part of a trace that is in blocks, if any, with the prediction of the rest. */
function joinParts(onChain: OnChainPart | undefined, predicted: EmulatedTrace | undefined) {
  const transactions: PendingTransaction[] = [...(onChain?.transactions ?? [])];
  /** ShardAccounts after predicted transactions, by their index. */
  const states = new Map<number, Uint8Array>();
  const before = transactions.length;
  const senders = new Map(onChain?.open.map(({ hash, parent }) => [hash.toString('hex'), parent]));
  for (const { before: _, after, parent, ...one } of predicted?.transactions ?? []) {
    states.set(transactions.length, after);
    transactions.push({
      ...one,
      parent: parent === undefined ? senders.get(one.inMessageHash.toString('hex')) : before + parent,
      emulated: true,
      finality: 'pending',
      mcSeqno: predicted!.mcSeqno,
      block: undefined,
    });
  }
  const isOpen = onChain !== undefined && onChain.open.length > 0;
  // Without a prediction, open messages are left: the trace is incomplete.
  const bound: EmulationBound | undefined =
    predicted === undefined ? (isOpen ? 'time' : undefined) : predicted.bound;
  return { transactions, states, bound };
}

function toClassify({ message }: PendingEntry, { transactions, states }: TraceParts): TraceToClassify {
  return {
    externalHash: message.hash,
    normalizedHash: message.normalizedHash,
    transactions: transactions.map(({ account, boc, mcSeqno }, at) => ({
      account,
      boc,
      mcSeqno,
      after: states.get(at),
    })),
  };
}

function toStored(
  { message, acceptedAt, sinceSeqno }: PendingEntry,
  { transactions, bound }: TraceParts,
  classification: PendingClassification,
  updatedAt: number,
): StoredTrace {
  return {
    externalHash: message.hash,
    normalizedHash: message.normalizedHash,
    acceptedAt,
    updatedAt,
    sinceSeqno,
    finality: leastFinality(transactions),
    transactions,
    bound,
    classification,
  };
}

/** From least to most certain. */
const FINALITIES: readonly Finality[] = ['pending', 'confirmed', 'finalized'];

function leastFinality(transactions: readonly PendingTransaction[]): Finality {
  return FINALITIES.find((finality) => transactions.some((one) => one.finality === finality)) ?? 'pending';
}

/** Logical time of the account's transaction before this one; 0 if there was none. */
function previousLt({ boc }: Pick<EmulatedTransaction, 'boc'>): bigint {
  const cells = readBoc(boc);
  return readTransactionPrefix({ cells, cell: cells.root }).prevTransLt;
}
