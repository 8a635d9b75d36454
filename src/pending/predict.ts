import type { AccountId } from '../chain/address.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { readTransactionPrefix } from '../lite/methods/transactions.ts';
import type { PendingCounts } from '../observe/pending-metrics.ts';
import type { EmulationBudget } from './emulation-budget.ts';
import type { PendingEntry } from './entries.ts';
import type { OnChainPart } from './follow-chain.ts';
import type {
  EmulatedTrace,
  EmulatedTransaction,
  EmulationBound,
  EmulationRefusal,
  Finality,
  KeptTrace,
  PendingClassification,
  PendingTransaction,
} from './pending-traces.ts';

/** What predictions are made with. */
export interface PredictParts {
  readonly emulate: Emulate;
  readonly classify: Classify;
  readonly budget: EmulationBudget;
  readonly metrics: PendingCounts;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

/** What came of a prediction; `spent` where the sender has no time left for one. */
type Prediction = KeptTrace | 'refused' | 'spent';

/** Says what a message will do at the newest block. Throws where that is not to be found out now. */
export async function predict(parts: PredictParts, entry: PendingEntry): Promise<Prediction> {
  const outcome = await emulateFor(parts, entry, { external: entry.message.boc });
  if (outcome === 'spent') return outcome;
  entry.predictedAt = parts.clock();
  if ('kind' in outcome) return 'refused';
  entry.baseLt = previousLt(outcome.transactions[0]!);
  return finish(parts, entry, joinParts(undefined, outcome));
}

/** Says what the messages that the part in blocks has sent will do. Throws nothing: that part is certain anyhow. */
export async function predictRest(parts: PredictParts, entry: PendingEntry): Promise<KeptTrace> {
  const real = entry.real!;
  entry.predictedAt = parts.clock();
  if (real.open.length === 0) return finish(parts, entry, joinParts(real, undefined));
  const start = { internal: real.open.map(({ boc }) => boc) };
  const outcome = await emulateFor(parts, entry, start).catch(() => 'spent' as const);
  const predicted = outcome === 'spent' || 'kind' in outcome ? undefined : outcome;
  return finish(parts, entry, joinParts(real, predicted));
}

async function emulateFor(
  { emulate, budget, metrics, signal }: PredictParts,
  { payer }: PendingEntry,
  start: EmulationStart,
): Promise<EmulatedTrace | EmulationRefusal | 'spent'> {
  const leave = budget.acquire(payer);
  if (leave === undefined) return 'spent';
  const startMs = performance.now();
  // One that came to nothing may have had the machine for all its time.
  let vmMs: number | undefined;
  try {
    const outcome = await emulate(start, { maxMs: leave.maxMs, signal });
    vmMs = outcome.vmSeconds * 1000;
    metrics.emulated(outcome.vmSeconds);
    return outcome;
  } finally {
    leave.spent(vmMs ?? performance.now() - startMs);
  }
}

async function finish(
  { classify, clock, signal }: PredictParts,
  entry: PendingEntry,
  trace: TraceParts,
): Promise<KeptTrace> {
  return toKept(entry, trace, await classify(toClassify(entry, trace), signal), clock());
}

/** Messages that something is to be said of: one from outside, or some of those that a trace has still to deliver. */
type EmulationStart = { readonly external: Uint8Array } | { readonly internal: readonly Uint8Array[] };

/** Bounds of one emulation. */
interface EmulationLimits {
  readonly maxMs: number;
  readonly signal: AbortSignal;
}

/** Says what messages would cause at the newest block; throws where that is not to be found out now. */
export type Emulate = (
  start: EmulationStart,
  limits: EmulationLimits,
) => Promise<EmulatedTrace | EmulationRefusal>;

/** A transaction that actions are to be read from. */
interface ClassifiedTransaction {
  readonly account: AccountId;
  readonly boc: Buffer;
  readonly mcSeqno: number;
  /** The ShardAccount after a transaction that was predicted. */
  readonly after?: Uint8Array | undefined;
}

/** A trace that actions are to be read from. */
interface TraceToClassify {
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  /** The first took the external message. */
  readonly transactions: readonly ClassifiedTransaction[];
}

/** Says what happens in a trace. Never throws. */
export type Classify = (trace: TraceToClassify, signal: AbortSignal) => Promise<PendingClassification>;

/** What is known of a trace: the part that is in blocks, then what is predicted of the rest. */
interface TraceParts {
  readonly transactions: readonly PendingTransaction[];
  /** The ShardAccounts after the predicted ones, by their places. */
  readonly states: ReadonlyMap<number, Uint8Array>;
  readonly bound: EmulationBound | undefined;
}

/** Puts a prediction behind the part of a trace that is in blocks, if there is one. */
function joinParts(real: OnChainPart | undefined, predicted: EmulatedTrace | undefined): TraceParts {
  const transactions = [...(real?.transactions ?? [])];
  const states = new Map<number, Uint8Array>();
  const before = transactions.length;
  const senders = new Map(real?.open.map(({ hash, parent }) => [hash.toString('hex'), parent]));
  for (const one of predicted?.transactions ?? []) {
    const { account, boc, hash, lt, inMessageHash } = one;
    states.set(transactions.length, one.after);
    transactions.push({
      account,
      boc,
      hash,
      lt,
      inMessageHash,
      parent: one.parent === undefined ? senders.get(inMessageHash.toString('hex')) : before + one.parent,
      emulated: true,
      finality: 'pending',
      mcSeqno: predicted!.mcSeqno,
      block: undefined,
    });
  }
  const isOpen = real !== undefined && real.open.length > 0;
  // Nothing is said of messages that nobody could follow.
  const bound = predicted === undefined ? (isOpen ? 'time' : undefined) : predicted.bound;
  return { transactions, states, bound };
}

/** The trace for those who read actions from it. */
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

/** The trace as it is kept. */
function toKept(
  { message, acceptedAt, sinceSeqno }: PendingEntry,
  { transactions, bound }: TraceParts,
  classification: PendingClassification,
  updatedAt: number,
): KeptTrace {
  return {
    externalHash: message.hash,
    normalizedHash: message.normalizedHash,
    acceptedAt,
    updatedAt,
    sinceSeqno,
    finality: leastOf(transactions),
    transactions,
    bound,
    classification,
  };
}

const CERTAINTY: readonly Finality[] = ['pending', 'confirmed', 'finalized'];

function leastOf(transactions: readonly PendingTransaction[]): Finality {
  return CERTAINTY.find((finality) => transactions.some((one) => one.finality === finality)) ?? 'pending';
}

/** The logical time of the account's transaction before one; zero where there was none. */
function previousLt({ boc }: Pick<EmulatedTransaction, 'boc'>): bigint {
  const cells = readBoc(boc);
  return readTransactionPrefix({ cells, cell: cells.root }).prevTransLt;
}
