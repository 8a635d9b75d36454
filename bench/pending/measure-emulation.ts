import type { TraceEmulator } from '../../src/pending/emulate.ts';
import { encodeTransaction, textsOfTransaction } from '../../src/vm/runs.ts';
import type { SharedBoc } from '../../src/vm/shared-inputs.ts';
import type { Runner } from '../../src/vm/worker/runner.ts';
import { BUDGET_MS, type EmulatorContext, traceOf } from '../../test/pending/support/emulator-context.ts';
import type { Case } from './cases.ts';
import type { CaseResult, Latency, Speed } from './report.ts';

/** Everything that measuring a case needs. */
interface Measuring {
  readonly context: EmulatorContext;
  /** Runs the emulator in this thread. */
  readonly runner: Runner;
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly atOnce: number;
}

/** Measures the emulation of one message: raw and through the trace emulator, throughput and latency. */
export async function measureCase(benchCase: Case, measuring: Measuring): Promise<CaseResult> {
  const { context, rounds } = measuring;
  const speeds = { raw: [] as Speed[], traces: [] as Speed[] };
  const times = { latency: [] as number[], freshLatency: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    const raw = await speedOf(benchCase, measuring, () => runRaw(benchCase, measuring.runner), 1);
    const traces = await speedOf(
      benchCase,
      measuring,
      () => emulate(benchCase, context.emulator),
      measuring.atOnce,
    );
    const latency = await latenciesOf(benchCase, measuring, () => context.emulator);
    const fresh = () => context.emulatorWith({ context: context.freshContext() });
    const freshLatency = await latenciesOf(benchCase, measuring, fresh);
    // The first round is a warm-up.
    if (round < 0) continue;
    speeds.raw.push(raw);
    speeds.traces.push(traces);
    times.latency.push(...latency);
    times.freshLatency.push(...freshLatency);
  }
  const ratios = speeds.traces.map(
    ({ transactionsPerCpuSecond }, i) => transactionsPerCpuSecond / speeds.raw[i]!.transactionsPerCpuSecond,
  );
  return {
    name: benchCase.name,
    transactions: benchCase.runs.length,
    raw: medianSpeed(speeds.raw),
    traces: medianSpeed(speeds.traces),
    ratio: Number(quantile(ratios, 0.5).toFixed(2)),
    latency: summary(times.latency),
    freshLatency: summary(times.freshLatency),
  };
}

async function emulate({ message, runs }: Case, emulator: TraceEmulator): Promise<void> {
  const { transactions } = traceOf(await emulator.emulate({ message, budgetMs: BUDGET_MS }));
  if (transactions.length !== runs.length) throw new Error('Trace has an unexpected number of transactions');
}

async function runRaw({ runs }: Case, runner: Runner): Promise<void> {
  const texts = new Set<SharedBoc>(runs.flatMap(textsOfTransaction));
  const fresh = [...texts].map(({ key, text }) => [key, text] as const);
  const { replies } = await runner.work(
    { runs: runs.map(encodeTransaction), fresh, forgotten: [] },
    () => {},
  );
  if (replies.some(({ type }) => type !== 'transaction')) throw new Error('Run failed');
}

/** Repeats `once` for the length of a round, with `atOnce` calls in flight. */
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
  benchCase: Case,
  { secondsPerRound }: Measuring,
  emulatorOf: () => TraceEmulator,
): Promise<number[]> {
  const startedAt = performance.now();
  const times: number[] = [];
  while (performance.now() - startedAt < secondsPerRound * 1000) {
    const emulator = emulatorOf();
    const from = performance.now();
    await emulate(benchCase, emulator);
    times.push(performance.now() - from);
  }
  return times;
}

function medianSpeed(speeds: readonly Speed[]): Speed {
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

/** Median and p95 of some times. */
export function summary(times: readonly number[]): Latency {
  return { median: Number(quantile(times, 0.5).toFixed(1)), p95: Number(quantile(times, 0.95).toFixed(1)) };
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
