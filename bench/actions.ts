/**
 * Traces to actions, on one core: the classifier over real traces of mainnet, which lie beside the checkout.
 * Usage: npm run bench:actions [-- --rounds 5]. Ends with 1 when it is slower than its goal.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { classifyTrace } from '../src/indexer/actions/classify-trace.ts';
import { fixtureInput, readTraceFixture } from '../test/conformance/traces/read-fixture.ts';
import { cpuMs, median } from './cells/measure.ts';
import { describeMachine } from './http/report.ts';

/** Transactions a second: some forty times the traffic of mainnet. */
const GOAL = 2500;
/** Times that all traces are classified in a round, to be long enough for the clock of CPU time. */
const RUNS = 60;
const FOLDER = fileURLToPath(new URL('../../shared/data/traces/data/', import.meta.url));

if (!existsSync(FOLDER)) {
  console.error('No traces of mainnet are beside this checkout.');
  process.exit(1);
}
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const inputs = readdirSync(FOLDER).map((name) => fixtureInput(readTraceFixture(`${FOLDER}${name}`)));
const transactions = inputs.reduce((sum, { trace }) => sum + trace.transactions.length, 0);

function classifyAll(): void {
  for (const input of inputs) classifyTrace(input);
}

// Once before: compiled code is what runs in production.
cpuMs(classifyAll, RUNS);
const rounds = Array.from({ length: Number(values.rounds) }, () => cpuMs(classifyAll, RUNS));
const ms = median(rounds);
const report = {
  date: new Date().toISOString().slice(0, 10),
  machine: describeMachine(),
  node: process.version,
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
  'Written by `npm run bench:actions`. One thread classifies the traces over and over; reading them from the database is not',
  'part of it. Figures are CPU time (garbage collection included), the median of the rounds.',
  '',
  `- ${report.date}, Node ${report.node}`,
  `- ${report.machine}`,
  `- ${report.traces} traces of mainnet with ${transactions} transactions, ${report.rounds} rounds`,
  '',
  '| transactions/s | goal | microseconds a trace |',
  '| --: | --: | --: |',
  `| ${report.transactionsPerSecond} | ${GOAL} | ${report.microsecondsPerTrace} |`,
  '',
].join('\n');
const resultFile = (name: string) => fileURLToPath(new URL(`results/${name}`, import.meta.url));
writeFileSync(resultFile('actions.json'), `${JSON.stringify(report, null, 2)}\n`);
writeFileSync(resultFile('actions.md'), page);
console.log(page);
process.exitCode = report.transactionsPerSecond < GOAL ? 1 : 0;
