/**
 * Requests per second of `detectAddress`, by GET and by JSON-RPC, compared with a bare Fastify route with the same response.
 * Usage: npm run bench:http [-- --rounds 5 --seconds 4]. Exits with 1 if a ratio of CPU time is below the goal.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Call, type Comparison, connections, judge, type Round, runRound } from './http/measure.ts';
import { type Report, toMarkdown } from './http/report.ts';
import type { BareRoute } from './support/bare-server.ts';
import { runInfo, writeResults } from './support/report.ts';
import { type MeasuredProcess, startMeasured, startTongate } from './support/servers.ts';

const goal = 0.45;
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

/** Routes for the bare server that return what tongate returns. */
async function recordRoutes(url: string, list: readonly Call[]): Promise<BareRoute[]> {
  return Promise.all(
    list.map(async ({ path, method, headers, body }) => {
      const response = await fetch(`${url}${path}`, { method, headers, ...(body ? { body } : {}) });
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`);
      return { method, path: path.split('?')[0]!, response: await response.json() };
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
  const { server: tongate, apiKey } = await startTongate(folder, { command: 'serve' });
  const list = calls(apiKey);
  try {
    const routesFile = join(folder, 'routes.json');
    writeFileSync(routesFile, JSON.stringify(await recordRoutes(tongate.url, list)));
    const bare = await startMeasured({
      args: [fileURLToPath(new URL('./support/bare-server.ts', import.meta.url)), routesFile],
      outputFile: join(folder, 'bare.log'),
      timeoutMs: 20_000,
    });
    try {
      const comparisons: Comparison[] = [];
      for (const call of list) comparisons.push(await compare(bare, tongate, call));
      return {
        ...runInfo(),
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
// Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
chmodSync(folder, 0o755);
try {
  const report = await measure(folder);
  writeResults('http', report, toMarkdown(report));
  console.log(toMarkdown(report));
  const missed = report.verdicts.filter((verdict) => verdict.cpuRatio < goal);
  for (const verdict of missed) console.error(`${verdict.call}: ${verdict.cpuRatio} is below ${goal}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
