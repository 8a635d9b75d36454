/**
 * Requests a second of `detectAddress`, by GET and by JSON-RPC, against a bare Fastify route with the same answer.
 * Usage: npm run bench:http [-- --rounds 5 --seconds 4]. Ends with 1 when a ratio is below the goal.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Comparison, judge } from './http/comparison.ts';
import { type MeasuredProcess, startMeasured } from './http/measured-process.ts';
import { describeMachine, type Report, toMarkdown, writeReport } from './http/report.ts';
import { type Call, connections, type Round, runRound } from './http/round.ts';
import { startTongate } from './http/tongate-server.ts';

const goal = 0.6;
const warmUpSeconds = 3;
const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '4' } },
});
const rounds = Number(values.rounds);
const secondsPerRound = Number(values.seconds);

const calls = (apiKey: string): readonly Call[] => [
  { method: 'GET', path: `/api/v2/detectAddress?address=${address}`, headers: { 'x-api-key': apiKey } },
  {
    method: 'POST',
    path: '/api/v2/jsonRPC',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'detectAddress', params: { address } }),
  },
];

const nameOf = (call: Call): string =>
  call.method === 'GET' ? 'GET detectAddress' : 'JSON-RPC detectAddress';

/** One answer of tongate for each call; the bare server returns exactly these. */
async function answersOf(url: string, list: readonly Call[]): Promise<unknown[]> {
  return Promise.all(
    list.map(async ({ path, method, headers, body }) => {
      const response = await fetch(`${url}${path}`, { method, headers, ...(body ? { body } : {}) });
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
      return response.json();
    }),
  );
}

async function compare(bare: MeasuredProcess, tongate: MeasuredProcess, call: Call): Promise<Comparison> {
  const results: Record<'bare' | 'tongate', Round[]> = { bare: [], tongate: [] };
  for (const server of [bare, tongate]) await runRound(server, call, warmUpSeconds);
  for (let round = 0; round < rounds; round += 1) {
    results.bare.push(await runRound(bare, call, secondsPerRound));
    results.tongate.push(await runRound(tongate, call, secondsPerRound));
  }
  return { call: nameOf(call), ...results };
}

async function measure(folder: string): Promise<Report> {
  const { server: tongate, apiKey } = await startTongate(folder);
  const list = calls(apiKey);
  try {
    const answersFile = join(folder, 'answers.json');
    writeFileSync(answersFile, JSON.stringify(await answersOf(tongate.url, list)));
    const bare = await startMeasured({
      args: [fileURLToPath(new URL('./http/bare-server.ts', import.meta.url)), answersFile],
      outputFile: join(folder, 'bare.log'),
      timeoutMs: 20_000,
    });
    try {
      const comparisons: Comparison[] = [];
      for (const call of list) comparisons.push(await compare(bare, tongate, call));
      return {
        date: new Date().toISOString().slice(0, 10),
        machine: describeMachine(),
        node: process.version,
        rounds,
        secondsPerRound,
        connections,
        goal,
        verdicts: comparisons.map(judge),
      };
    } finally {
      await bare.stop();
    }
  } finally {
    await tongate.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tongate-bench-'));
// An embedded PostgreSQL started by root runs as another user, who has to reach its data.
chmodSync(folder, 0o755);
try {
  const report = await measure(folder);
  writeReport(report);
  console.log(toMarkdown(report));
  const missed = report.verdicts.filter((verdict) => verdict.throughputRatio < goal);
  for (const verdict of missed) console.error(`${verdict.call}: ${verdict.throughputRatio} is below ${goal}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
