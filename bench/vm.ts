/**
 * Get-methods and transactions a second of one thread of the virtual machine, against the emulator called directly.
 * Usage: node bench/vm.ts [--rounds 5 --seconds 1].
 */
import { parseArgs } from 'node:util';
import { createVm } from '../src/vm/vm.ts';
import { compileEmulator } from '../src/vm/worker/emulator.ts';
import { Runner } from '../src/vm/worker/runner.ts';
import { codeRun } from '../test/vm/built-data.ts';
import { describeMachine } from './http/report.ts';
import { type Report, type Result, toMarkdown, writeReport } from './vm/report.ts';
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

/** Does a task for about as long as a round is. */
async function measure(task: Task): Promise<Round> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  let runs = 0;
  while (performance.now() - startedAt < secondsPerRound * 1000) runs += await task.do(100);
  const { user, system } = process.cpuUsage(cpu);
  return {
    runsPerSecond: (runs * 1000) / (performance.now() - startedAt),
    runsPerCpuSecond: (runs * 1_000_000) / (user + system),
  };
}

/** From nothing: how long the first answer takes, and a thread that finds the emulator compiled. */
async function measureStart(): Promise<
  Pick<Report, 'firstAnswerMs' | 'furtherThreadMs' | 'coldRunsPerSecond'>
> {
  const vm = createVm({ log, threads: 2 });
  try {
    const run = codeRun('FF0071');
    const startedAt = performance.now();
    await vm.runGetMethod(run, { timeoutMs: 60_000 });
    const answeredAt = performance.now();
    for (let i = 0; i < 100; i++) await vm.runGetMethod(run, { timeoutMs: 60_000 });
    const doneAt = performance.now();
    await vm.warm();
    return {
      firstAnswerMs: Math.round(answeredAt - startedAt),
      furtherThreadMs: Math.round(performance.now() - doneAt),
      coldRunsPerSecond: Math.round(100_000 / (doneAt - answeredAt)),
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
        // The first round only warms up.
        if (round >= 0) found.get(task.name)!.push(result);
      }
    return tasks.map(({ name, floor }) => {
      const list = found.get(name)!;
      const floors = floor === undefined ? undefined : found.get(floor)!;
      const ratios = floors?.map((other, i) => list[i]!.runsPerCpuSecond / other.runsPerCpuSecond);
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

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] as number) + (sorted[sorted.length >> 1] as number)) / 2;
}

const start = await measureStart();
const report: Report = {
  date: new Date().toISOString().slice(0, 10),
  machine: describeMachine(),
  node: process.version,
  rounds,
  secondsPerRound,
  ...start,
  results: await measureTasks(),
};
writeReport(report);
console.log(toMarkdown(report));
