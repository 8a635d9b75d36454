/**
 * Emulated traces per second and the latency of one emulation, compared with the raw emulator, and the time from
 * accepting a message until its trace is visible.
 * Usage: npm run bench:pending [-- --rounds 5 --seconds 1 --at-once 32].
 */
import { parseArgs } from 'node:util';
import { compileEmulator } from '../src/vm/worker/emulator.ts';
import { Runner } from '../src/vm/worker/runner.ts';
import { openEmulatorContext } from '../test/pending/support/emulator-context.ts';
import { prepareCases } from './pending/cases.ts';
import { measureCase } from './pending/measure-emulation.ts';
import { measureVisibility } from './pending/measure-visibility.ts';
import { type CaseResult, type Report, toMarkdown } from './pending/report.ts';
import { runInfo, writeResults } from './support/report.ts';

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
    for (const benchCase of await prepareCases(context))
      results.push(await measureCase(benchCase, measuring));
    return results;
  } finally {
    await context.close();
  }
}

const report: Report = {
  ...runInfo(),
  rounds,
  secondsPerRound,
  atOnce,
  emulation: await measureEmulation(),
  life: await measureVisibility(secondsPerRound),
};
writeResults('pending', report, toMarkdown(report));
console.log(toMarkdown(report));
