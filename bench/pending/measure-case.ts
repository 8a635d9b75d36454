import type { TraceEmulator } from '../../src/pending/emulate.ts';
import { encodeTransaction, textsOfTransaction } from '../../src/vm/runs.ts';
import type { SharedBoc } from '../../src/vm/shared-inputs.ts';
import type { Runner } from '../../src/vm/worker/runner.ts';
import { BUDGET_MS, type EmulatorContext, traceOf } from '../../test/pending/support/emulator-context.ts';
import type { Case } from './cases.ts';
import type { CaseResult, Latency, Speed } from './report.ts';

export interface Measuring {
  readonly context: EmulatorContext;
  /** The emulator in this thread. */
  readonly runner: Runner;
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly atOnce: number;
}

/** Measures one message in all ways. */
export async function measureCase(one: Case, measuring: Measuring): Promise<CaseResult> {
  const { context, rounds } = measuring;
  const ways = { raw: [] as Speed[], traces: [] as Speed[] };
  const times = { latency: [] as number[], freshLatency: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    const raw = await speedOf(one, measuring, () => makeRaw(one, measuring.runner), 1);
    const traces = await speedOf(one, measuring, () => emulate(one, context.emulator), measuring.atOnce);
    const latency = await latenciesOf(one, measuring, () => context.emulator);
    const fresh = () => context.emulatorWith({ context: context.freshContext() });
    const freshLatency = await latenciesOf(one, measuring, fresh);
    // The first round only warms up.
    if (round < 0) continue;
    ways.raw.push(raw);
    ways.traces.push(traces);
    times.latency.push(...latency);
    times.freshLatency.push(...freshLatency);
  }
  const ratios = ways.traces.map(
    ({ transactionsPerCpuSecond }, i) => transactionsPerCpuSecond / ways.raw[i]!.transactionsPerCpuSecond,
  );
  return {
    name: one.name,
    transactions: one.runs.length,
    raw: middle(ways.raw),
    traces: middle(ways.traces),
    ratio: Number(quantile(ratios, 0.5).toFixed(2)),
    latency: summary(times.latency),
    freshLatency: summary(times.freshLatency),
  };
}

async function emulate({ message, runs }: Case, emulator: TraceEmulator): Promise<void> {
  const { transactions } = traceOf(await emulator.emulate({ message, budgetMs: BUDGET_MS }));
  if (transactions.length !== runs.length) throw new Error('a trace of another length');
}

async function makeRaw({ runs }: Case, runner: Runner): Promise<void> {
  const texts = new Set<SharedBoc>(runs.flatMap(textsOfTransaction));
  const fresh = [...texts].map(({ key, text }) => [key, text] as const);
  const { replies } = await runner.work(
    { runs: runs.map(encodeTransaction), fresh, forgotten: [] },
    () => {},
  );
  if (replies.some(({ type }) => type !== 'transaction')) throw new Error('a run failed');
}

/** Does something for about as long as a round is, so many at a time. */
async function speedOf(
  { runs }: Case,
  { secondsPerRound }: Measuring,
  once: () => Promise<void>,
  atOnce: number,
): Promise<Speed> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - startedAt < secondsPerRound * 1000) {
      await once();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    tracesPerSecond: done / seconds,
    transactionsPerSecond: (done * runs.length) / seconds,
    transactionsPerCpuSecond: (done * runs.length * 1_000_000) / (user + system),
  };
}

async function latenciesOf(
  one: Case,
  { secondsPerRound }: Measuring,
  emulatorOf: () => TraceEmulator,
): Promise<number[]> {
  const startedAt = performance.now();
  const times: number[] = [];
  while (performance.now() - startedAt < secondsPerRound * 1000) {
    const emulator = emulatorOf();
    const from = performance.now();
    await emulate(one, emulator);
    times.push(performance.now() - from);
  }
  return times;
}

function middle(speeds: readonly Speed[]): Speed {
  const of = (key: keyof Speed): number => {
    const value = quantile(
      speeds.map((speed) => speed[key]),
      0.5,
    );
    return value < 10 ? Number(value.toFixed(1)) : Math.round(value);
  };
  return {
    tracesPerSecond: of('tracesPerSecond'),
    transactionsPerSecond: of('transactionsPerSecond'),
    transactionsPerCpuSecond: of('transactionsPerCpuSecond'),
  };
}

/** The middle of some times, and what hardly any is above. */
export function summary(times: readonly number[]): Latency {
  return { median: Number(quantile(times, 0.5).toFixed(1)), p95: Number(quantile(times, 0.95).toFixed(1)) };
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
