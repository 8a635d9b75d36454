import type { PendingCounts } from '../../observe/pending-metrics.ts';
import type { EmulatedTrace, EmulationRefusal } from '../emulated-trace.ts';
import type { EmulationBudget } from '../emulation-budget.ts';
import type { KeptTrace } from '../store/trace-store.ts';
import type { Entry } from './entry.ts';
import { joinParts, previousLt, type TraceParts, toClassify, toKept } from './make-trace.ts';
import type { Classify, Emulate, EmulationStart } from './pending-ports.ts';

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
export type Prediction = KeptTrace | 'refused' | 'spent';

/** Says what a message will do at the newest block. Throws where that is not to be found out now. */
export async function predict(parts: PredictParts, entry: Entry): Promise<Prediction> {
  const outcome = await emulateFor(parts, entry, { external: entry.message.boc });
  if (outcome === 'spent') return outcome;
  entry.predictedAt = parts.clock();
  if ('kind' in outcome) return 'refused';
  entry.baseLt = previousLt(outcome.transactions[0]!);
  return finish(parts, entry, joinParts(undefined, outcome));
}

/** Says what the messages that the part in blocks has sent will do. Throws nothing: that part is certain anyhow. */
export async function predictRest(parts: PredictParts, entry: Entry): Promise<KeptTrace> {
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
  { payer }: Entry,
  start: EmulationStart,
): Promise<EmulatedTrace | EmulationRefusal | 'spent'> {
  const leave = budget.leave(payer);
  if (leave === undefined) return 'spent';
  const startMs = performance.now();
  // One that came to nothing may have had the machine for all its time.
  let vmMs: number | undefined;
  try {
    const outcome = await emulate(start, { mostMs: leave.mostMs, signal });
    vmMs = outcome.vmSeconds * 1000;
    metrics.emulated(outcome.vmSeconds);
    return outcome;
  } finally {
    leave.spent(vmMs ?? performance.now() - startMs);
  }
}

async function finish(
  { classify, clock, signal }: PredictParts,
  entry: Entry,
  trace: TraceParts,
): Promise<KeptTrace> {
  return toKept(entry, trace, await classify(toClassify(entry, trace), signal), clock());
}
