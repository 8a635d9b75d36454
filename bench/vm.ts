/**
 * Get-methods and transactions per second of one VM thread, compared with the emulator called directly.
 * Usage: npm run bench:vm [-- --rounds 5 --seconds 1].
 */
import { parseArgs } from 'node:util';
import { createVm } from '../src/vm/vm.ts';
import { compileEmulator } from '../src/vm/worker/emulator.ts';
import { Runner } from '../src/vm/worker/runner.ts';
import { codeRun } from '../test/vm/built-data.ts';
import { median } from './support/measure.ts';
import { runInfo, writeResults } from './support/report.ts';
import { type Report, type Result, toMarkdown } from './vm/report.ts';
import { type Task, tasksOf } from './vm/tasks.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const secondsPerRound = Number(values.seconds);
const log = { info() {}, warn: console.error, error: console.error };

interface Round {
  readonly runsPerSecond: number;
  readonly runsPerCpuSecond: number;
}

/** Repeats a task for the length of a round. */
async function measure(task: Task): Promise<Round> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  let runs = 0;
  while (performance.now() - startedAt < secondsPerRound * 1000) runs += await task.run(100);
  const { user, system } = process.cpuUsage(cpu);
  return {
    runsPerSecond: (runs * 1000) / (performance.now() - startedAt),
    runsPerCpuSecond: (runs * 1_000_000) / (user + system),
  };
}

/** Cold start: the time to the first result, and to start another thread with the emulator already compiled. */
async function measureStart(): Promise<
  Pick<Report, 'firstAnswerMs' | 'furtherThreadMs' | 'coldRunsPerSecond'>
> {
  const vm = createVm({ log, threads: 2 });
  try {
    const run = codeRun('FF0071');
    const startedAt = performance.now();
    await vm.runGetMethod(run, { timeoutMs: 60_000 });
    const firstResultAt = performance.now();
    for (let i = 0; i < 100; i++) await vm.runGetMethod(run, { timeoutMs: 60_000 });
    const doneAt = performance.now();
    await vm.warm();
    return {
      firstAnswerMs: Math.round(firstResultAt - startedAt),
      furtherThreadMs: Math.round(performance.now() - doneAt),
      coldRunsPerSecond: Math.round(100_000 / (doneAt - firstResultAt)),
    };
  } finally {
    await vm.close();
  }
}

async function measureTasks(): Promise<Result[]> {
  const vm = createVm({ log, threads: 1, queueLimit: 100_000 });
  try {
    await vm.warm();
    const tasks = tasksOf(vm, new Runner(await compileEmulator()));
    const found = new Map<string, Round[]>(tasks.map(({ name }) => [name, []]));
    for (let round = -1; round < rounds; round++)
      for (const task of tasks) {
        const result = await measure(task);
        // The first round is a warm-up.
        if (round >= 0) found.get(task.name)!.push(result);
      }
    return tasks.map(({ name, baseline }) => {
      const list = found.get(name)!;
      const baselines = baseline === undefined ? undefined : found.get(baseline)!;
      const ratios = baselines?.map((other, i) => list[i]!.runsPerCpuSecond / other.runsPerCpuSecond);
      return {
        task: name,
        runsPerSecond: Math.round(median(list.map((round) => round.runsPerSecond))),
        runsPerCpuSecond: Math.round(median(list.map((round) => round.runsPerCpuSecond))),
        ratio: ratios && Number(median(ratios).toFixed(2)),
      };
    });
  } finally {
    await vm.close();
  }
}

const start = await measureStart();
const report: Report = {
  ...runInfo(),
  rounds,
  secondsPerRound,
  ...start,
  results: await measureTasks(),
};
writeResults('vm', report, toMarkdown(report));
console.log(toMarkdown(report));
