/**
 * Requests per second of v2 on the local chain, each operation compared with a baseline: a bare Fastify route for cached
 * responses, the lite query itself for operations that need one, the emulator itself for get-methods.
 * Usage: npm run bench:v2 [-- --quick --usage --only getTransactions --rounds 3 --seconds 1 --data FOLDER --profile FOLDER].
 * `--usage` compares cached responses with those of a server that does not count the usage of keys instead.
 * `--data` keeps the chain, so that it is filled only once; `--profile` writes CPU profiles of tongate's threads.
 * Exits with 1 if a goal is missed.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chainFolder } from '../src/localnet/chain/chain-folder.ts';
import type { BareRoute } from './support/bare-server.ts';
import { type HttpCall, loadHttp, loadWith, wireRequest } from './support/load.ts';
import { median } from './support/measure.ts';
import { runInfo, writeResults } from './support/report.ts';
import { type MeasuredProcess, startMeasured, startTongate } from './support/servers.ts';
import { type BaselineWork, type BenchCase, createCases } from './v2/cases.ts';
import { type Chain, startChain } from './v2/chain.ts';
import { createContent } from './v2/content.ts';
import { measureCounting } from './v2/counting.ts';
import { measure, medianRound, type Round, type RoundLength, type Side } from './v2/measure.ts';
import { createRawEmulator } from './v2/raw-emulator.ts';
import { openRawLite, type RawLite } from './v2/raw-lite.ts';
import { type CaseResult, type Report, toMarkdown } from './v2/report.ts';

/** Cached responses are so fast that it takes many connections to saturate a server. */
const connections = { hot: 64, cold: 16 };
/** The default block interval of the local chain. */
const blockMs = 1000;
const goals = { hot: 0.5, cold: 0.7, usage: 0.97 };

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    usage: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    data: { type: 'string' },
    profile: { type: 'string' },
  },
});
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
const seconds = Number(values.seconds ?? (values.quick ? 0.5 : 1));
const length: RoundLength = { seconds, maxResponses: Number.POSITIVE_INFINITY };
/** Enough responses for the hot code to be compiled, with a time limit for slow operations. */
const warmUp: RoundLength = { seconds: values.quick ? 0.5 : 2, maxResponses: 2500 };
const threads = Math.min(8, Math.max(1, availableParallelism() - 1));

interface Parts {
  readonly folder: string;
  readonly chain: Chain;
  readonly tongate: MeasuredProcess;
  /** A server that does not count usage, to compare with. */
  readonly uncounted: MeasuredProcess | undefined;
  readonly apiKey: string;
}

/** The path of a case on the bare server. */
function barePath(number: number, { path }: HttpCall): string {
  return `/${number}${path}`;
}

/** Starts the bare server with the responses that tongate gives to the hot cases. */
async function startBare({ folder, tongate }: Parts, cases: readonly BenchCase[]): Promise<MeasuredProcess> {
  const routes: BareRoute[] = [];
  for (const [number, { calls, baseline }] of cases.entries()) {
    if (baseline !== undefined) continue;
    const call = calls[0]!;
    const { method, path, headers, body } = call;
    const response = await fetch(`${tongate.url}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} returned ${await response.text()}`);
    routes.push({ method, path: barePath(number, call).split('?')[0]!, response: await response.json() });
  }
  const routesFile = join(folder, 'routes.json');
  writeFileSync(routesFile, JSON.stringify(routes));
  return startMeasured({
    args: [fileURLToPath(new URL('./support/bare-server.ts', import.meta.url)), routesFile],
    outputFile: join(folder, 'bare.log'),
    timeoutMs: 20_000,
  });
}

/** The compared sides of a case, the baseline first and tongate last. */
function sidesOf(
  number: number,
  { calls, baseline }: BenchCase,
  {
    tongate,
    uncounted,
    bare,
    lite,
  }: Pick<Parts, 'tongate' | 'uncounted'> & { readonly bare: MeasuredProcess; readonly lite: RawLite },
): Side[] {
  const concurrency = baseline === undefined ? connections.hot : connections.cold;
  const http = (name: string, server: MeasuredProcess, list: readonly HttpCall[]): Side => {
    const requests = list.map(wireRequest);
    let next = 0;
    return {
      name,
      server,
      parallelism: 1,
      run: (roundLength) =>
        loadHttp(server.url, () => requests[next++ % requests.length]!, { ...roundLength, concurrency }),
    };
  };
  const local = ({ name, work, isOneThread }: BaselineWork): Side => ({
    name,
    server: undefined,
    parallelism: isOneThread ? threads : 1,
    run: async (roundLength) => {
      await lite.updateHead();
      return loadWith(work, { ...roundLength, concurrency: isOneThread ? 1 : concurrency });
    },
  });
  if (uncounted !== undefined) return [http('USAGE=off', uncounted, calls), http('tongate', tongate, calls)];
  const bareCall = { ...calls[0]!, path: barePath(number, calls[0]!) };
  const baselines = baseline?.map(local) ?? [http('bare Fastify', bare, [bareCall])];
  return [...baselines, http('tongate', tongate, calls)];
}

async function compare(benchCase: BenchCase, sides: readonly Side[], chain: Chain): Promise<CaseResult> {
  const found = sides.map((): Round[] => []);
  for (let round = -1; round < rounds; round++)
    for (const [index, side] of sides.entries()) {
      const result = await measure(side, chain, round < 0 ? warmUp : length);
      if (benchCase.sendsMessages) await chain.drain();
      // The first round is a warm-up.
      if (round >= 0) found[index]!.push(result);
    }
  const results = sides.map(({ name, parallelism }, index) => {
    const ratios = found[index]!.map(
      (round, i) =>
        (round.responsesPerSecond * parallelism) / (found[0]![i]!.responsesPerSecond * sides[0]!.parallelism),
    );
    return { side: name, ratio: Number(median(ratios).toFixed(3)), figures: medianRound(found[index]!) };
  });
  const isHot = benchCase.baseline === undefined;
  return {
    operation: benchCase.name,
    sides: results,
    ratio: results.at(-1)!.ratio,
    goal: values.usage ? goals.usage : isHot ? goals.hot : goals.cold,
    isValid: isHot === results.at(-1)!.figures.cachedShare > 0.5,
  };
}

async function measureAll(parts: Parts): Promise<CaseResult[]> {
  const { chain, apiKey } = parts;
  const lite = await openRawLite(chain.globalConfigPath);
  const emulator = await createRawEmulator(chain.globalConfigPath, threads);
  const all = await createCases({ apiKey, lite, emulator, content: createContent() });
  const cases = all.filter(
    ({ name, baseline }) => name.includes(values.only) && !(values.usage && baseline !== undefined),
  );
  const bare = await startBare(parts, cases);
  try {
    const results: CaseResult[] = [];
    for (const [number, benchCase] of cases.entries()) {
      const result = await compare(benchCase, sidesOf(number, benchCase, { ...parts, bare, lite }), chain);
      console.error(`${result.operation}: ${result.ratio}`);
      results.push(result);
    }
    return results;
  } finally {
    await bare.stop();
    await emulator.close();
    lite.close();
  }
}

async function run(folder: string): Promise<Report> {
  const chain = await startChain(chainFolder(join(folder, 'data')), blockMs, 'v2');
  try {
    // Saturating the server is the purpose, so load shedding is off.
    const settings = { VM_THREADS: String(threads), SHED_LOOP_DELAY_MS: '0' };
    const { server: tongate, apiKey } = await startTongate(folder, {
      command: 'serve',
      settings,
      nodeOptions: values.profile ? ['--cpu-prof', '--cpu-prof-dir', values.profile] : [],
    });
    let uncounted: MeasuredProcess | undefined;
    try {
      if (values.usage) {
        const off = { ...settings, USAGE: 'off' };
        const started = await startTongate(folder, {
          command: 'serve',
          settings: off,
          logName: 'uncounted.log',
        });
        uncounted = started.server;
      }
      const results = await measureAll({ folder, chain, tongate, uncounted, apiKey });
      return {
        ...runInfo(),
        rounds,
        secondsPerRound: seconds,
        connections,
        blockMs,
        threads,
        results,
        ...(values.usage && { countingMicros: await measureCounting() }),
      };
    } finally {
      await uncounted?.stop();
      await tongate.stop();
    }
  } finally {
    await chain.stop();
  }
}

const folder = values.data ?? mkdtempSync(join(tmpdir(), 'tongate-bench-'));
mkdirSync(folder, { recursive: true });
// Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
chmodSync(folder, 0o755);
try {
  const report = await run(folder);
  // Partial and quick runs are not stored.
  if (!values.quick && values.only === '')
    writeResults(values.usage ? 'v2-usage' : 'v2', report, toMarkdown(report));
  console.log(toMarkdown(report));
  const missed = report.results.filter(({ ratio, goal }) => ratio < goal);
  for (const { operation, ratio, goal } of missed) console.error(`${operation}: ${ratio} is below ${goal}`);
  for (const { operation, isValid } of report.results)
    if (!isValid) console.error(`${operation}: unexpected share of cached responses`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
}
