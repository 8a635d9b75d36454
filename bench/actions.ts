/**
 * Speed of the classifier on one core, on recorded mainnet traces that are stored next to the checkout.
 * Usage: npm run bench:actions [-- --rounds 5]. Exits with 1 if the goal is missed.
 */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { classifyTrace } from '../src/actions/classify-trace.ts';
import { fixtureInput, readTraceFixture } from '../test/conformance/traces/read-fixture.ts';
import { cpuMs, median } from './support/measure.ts';
import { row, runInfo, runInfoLines, writeResults } from './support/report.ts';

/** Transactions per second, about forty times the traffic of mainnet. */
const GOAL = 2500;
/** Passes over all traces in a round: one pass is too short for the resolution of the CPU clock. */
const RUNS = 60;
const FOLDER = fileURLToPath(new URL('../../shared/data/traces/data/', import.meta.url));

if (!existsSync(FOLDER)) {
  console.error(`No mainnet traces in ${FOLDER}`);
  process.exit(1);
}
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const inputs = readdirSync(FOLDER).map((name) => fixtureInput(readTraceFixture(`${FOLDER}${name}`)));
const transactions = inputs.reduce((sum, { trace }) => sum + trace.transactions.length, 0);

function classifyAll(): void {
  for (const input of inputs) classifyTrace(input);
}

// Warm-up: production runs compiled code.
cpuMs(classifyAll, RUNS);
const rounds = Array.from({ length: Number(values.rounds) }, () => cpuMs(classifyAll, RUNS));
const ms = median(rounds);
const report = {
  ...runInfo(),
  traces: inputs.length,
  transactions,
  rounds: rounds.length,
  microsecondsPerTrace: Math.round((ms * 1000) / inputs.length),
  transactionsPerSecond: Math.round((transactions * 1000) / ms),
  goal: GOAL,
};

const page = [
  '# Actions benchmark',
  '',
  'Written by `npm run bench:actions`. One thread classifies the same traces repeatedly; reading them from the database is not',
  'included. Figures are CPU time (garbage collection included), the median of the rounds.',
  '',
  ...runInfoLines(report),
  `- ${report.traces} mainnet traces with ${transactions} transactions, ${report.rounds} rounds`,
  '',
  row(['transactions/s', 'goal', 'µs per trace']),
  row(['--:', '--:', '--:']),
  row([report.transactionsPerSecond, GOAL, report.microsecondsPerTrace]),
  '',
].join('\n');
writeResults('actions', report, page);
console.log(page);
process.exitCode = report.transactionsPerSecond < GOAL ? 1 : 0;
