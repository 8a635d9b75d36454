/**
 * Traces emulated a second and the latency of one emulation, beside the raw emulator's speed, and the time from when a
 * message is accepted until it is visible.
 * Usage: node bench/pending.ts [--rounds 5 --seconds 1 --at-once 32].
 */
import { parseArgs } from 'node:util';
import { compileEmulator } from '../src/vm/worker/emulator.ts';
import { Runner } from '../src/vm/worker/runner.ts';
import { openEmulatorContext } from '../test/pending/support/emulator-context.ts';
import { describeMachine } from './http/report.ts';
import { prepareCases } from './pending/cases.ts';
import { measureCase } from './pending/measure-case.ts';
import { measureLife } from './pending/measure-life.ts';
import { type CaseResult, type Report, toMarkdown, writeReport } from './pending/report.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '32' },
  },
});
const rounds = Number(values.rounds);
const secondsPerRound = Number(values.seconds);
const atOnce = Number(values['at-once']);

async function measureEmulation(): Promise<CaseResult[]> {
  const context = await openEmulatorContext({ demo: true });
  try {
    const runner = new Runner(await compileEmulator());
    const measuring = { context, runner, rounds, secondsPerRound, atOnce };
    const results: CaseResult[] = [];
    for (const one of await prepareCases(context)) results.push(await measureCase(one, measuring));
    return results;
  } finally {
    await context.close();
  }
}

const report: Report = {
  date: new Date().toISOString().slice(0, 10),
  machine: describeMachine(),
  node: process.version,
  rounds,
  secondsPerRound,
  atOnce,
  emulation: await measureEmulation(),
  life: await measureLife(secondsPerRound),
};
writeReport(report);
console.log(toMarkdown(report));
