/**
 * Requests a second of v2 on the local chain, each operation beside its floor: a bare Fastify route for answers that are
 * known, the lite query itself for those that need one, the emulator itself for get-methods.
 * Usage: npm run bench:v2 [-- --quick --only getTransactions --rounds 3 --seconds 1 --data FOLDER --profile FOLDER]. A
 * data folder is kept, so that its chain is filled once; profiles are those of tongate's threads. Ends with 1 when an aim is missed.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chainFolder } from '../src/localnet/chain/chain-folder.ts';
import { type MeasuredProcess, startMeasured } from './http/measured-process.ts';
import { describeMachine } from './http/report.ts';
import { startTongate } from './http/tongate-server.ts';
import type { BareRoute } from './v2/bare-server.ts';
import { type BenchCase, createCases, type FloorWork } from './v2/cases.ts';
import { type Chain, startChain } from './v2/chain.ts';
import { createContent } from './v2/content.ts';
import { type HttpCall, loadHttp, wireRequest } from './v2/http-load.ts';
import { loadWith } from './v2/load.ts';
import { measure, median, medianRound, type Round, type RoundLength, type Side } from './v2/measure.ts';
import { createRawEmulator } from './v2/raw-emulator.ts';
import { openRawLite, type RawLite } from './v2/raw-lite.ts';
import { type CaseResult, type Report, toMarkdown, writeReport } from './v2/report.ts';

/** Answers that are known come so fast that it takes many who ask to keep a server busy. */
const connections = { hot: 64, cold: 16 };
/** The pace of the local chain unless told otherwise. */
const blockMs = 1000;
const aims = { hot: 0.5, cold: 0.7 };

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    data: { type: 'string' },
    profile: { type: 'string' },
  },
});
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
const seconds = Number(values.seconds ?? (values.quick ? 0.5 : 1));
const length: RoundLength = { seconds, answers: Number.POSITIVE_INFINITY };
/** Until the code is compiled that does the work: after so many answers, or a time that is enough for some. */
const warmUp: RoundLength = { seconds: values.quick ? 0.5 : 2, answers: 2500 };
const threads = Math.min(8, Math.max(1, availableParallelism() - 1));

interface Parts {
  readonly folder: string;
  readonly chain: Chain;
  readonly tongate: MeasuredProcess;
  readonly apiKey: string;
}

/** Where the floor of a case finds its answer on the bare server. */
function barePath(number: number, { path }: HttpCall): string {
  return `/${number}${path}`;
}

/** The bare server answers what tongate answers. */
async function startBare({ folder, tongate }: Parts, cases: readonly BenchCase[]): Promise<MeasuredProcess> {
  const routes: BareRoute[] = [];
  for (const [number, { calls, floor }] of cases.entries()) {
    if (floor !== undefined) continue;
    const call = calls[0]!;
    const { method, path, headers, body } = call;
    const response = await fetch(`${tongate.url}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${await response.text()}`);
    routes.push({ method, path: barePath(number, call).split('?')[0]!, answer: await response.json() });
  }
  const routesFile = join(folder, 'routes.json');
  writeFileSync(routesFile, JSON.stringify(routes));
  return startMeasured({
    args: [fileURLToPath(new URL('./v2/bare-server.ts', import.meta.url)), routesFile],
    outputFile: join(folder, 'bare.log'),
    timeoutMs: 20_000,
  });
}

/** The sides of a case, the floor first and tongate last. */
function sidesOf(
  number: number,
  { calls, floor }: BenchCase,
  {
    tongate,
    bare,
    lite,
  }: Pick<Parts, 'tongate'> & { readonly bare: MeasuredProcess; readonly lite: RawLite },
): Side[] {
  const concurrency = floor === undefined ? connections.hot : connections.cold;
  const http = (name: string, server: MeasuredProcess, list: readonly HttpCall[]): Side => {
    const requests = list.map(wireRequest);
    let next = 0;
    return {
      name,
      server,
      times: 1,
      run: (time) =>
        loadHttp(server.url, () => requests[next++ % requests.length]!, { ...time, concurrency }),
    };
  };
  const own = ({ name, work, isOneThread }: FloorWork): Side => ({
    name,
    server: undefined,
    times: isOneThread ? threads : 1,
    run: async (time) => {
      await lite.renewHead();
      return loadWith(work, { ...time, concurrency: isOneThread ? 1 : concurrency });
    },
  });
  const bareCall = { ...calls[0]!, path: barePath(number, calls[0]!) };
  const floors = floor?.map(own) ?? [http('bare Fastify', bare, [bareCall])];
  return [...floors, http('tongate', tongate, calls)];
}

async function compare(benchCase: BenchCase, sides: readonly Side[], chain: Chain): Promise<CaseResult> {
  const found = sides.map((): Round[] => []);
  for (let round = -1; round < rounds; round++)
    for (const [index, side] of sides.entries()) {
      const result = await measure(side, chain, round < 0 ? warmUp : length);
      if (benchCase.sends) await chain.drain();
      // The first round of each only warms up.
      if (round >= 0) found[index]!.push(result);
    }
  const results = sides.map(({ name, times }, index) => {
    const ratios = found[index]!.map(
      (round, i) => (round.answersPerSecond * times) / (found[0]![i]!.answersPerSecond * sides[0]!.times),
    );
    return { side: name, ratio: Number(median(ratios).toFixed(3)), figures: medianRound(found[index]!) };
  });
  const isHot = benchCase.floor === undefined;
  return {
    operation: benchCase.name,
    sides: results,
    ratio: results.at(-1)!.ratio,
    aim: isHot ? aims.hot : aims.cold,
    isHonest: isHot === results.at(-1)!.figures.cachedShare > 0.5,
  };
}

async function measureAll(parts: Parts): Promise<CaseResult[]> {
  const { chain, apiKey } = parts;
  const lite = await openRawLite(chain.globalConfigPath);
  const emulator = await createRawEmulator(chain.globalConfigPath, threads);
  const all = await createCases({ apiKey, lite, emulator, content: createContent() });
  const cases = all.filter(({ name }) => name.includes(values.only));
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
  const chain = await startChain(chainFolder(join(folder, 'data')), blockMs);
  try {
    // To be kept as busy as it can be is no reason here to refuse anybody.
    const settings = { VM_THREADS: String(threads), SHED_LOOP_DELAY_MS: '0' };
    const { server: tongate, apiKey } = await startTongate(folder, {
      command: 'serve',
      settings,
      nodeOptions: values.profile ? ['--cpu-prof', '--cpu-prof-dir', values.profile] : [],
    });
    try {
      const results = await measureAll({ folder, chain, tongate, apiKey });
      return {
        date: new Date().toISOString().slice(0, 10),
        machine: describeMachine(),
        node: process.version,
        rounds,
        secondsPerRound: seconds,
        connections,
        blockMs,
        threads,
        results,
      };
    } finally {
      await tongate.stop();
    }
  } finally {
    await chain.stop();
  }
}

const folder = values.data ?? mkdtempSync(join(tmpdir(), 'tongate-bench-'));
mkdirSync(folder, { recursive: true });
// An embedded PostgreSQL started by root runs as another user, who has to reach its data.
chmodSync(folder, 0o755);
try {
  const report = await run(folder);
  // What was measured in part or in haste is not worth keeping.
  if (!values.quick && values.only === '') writeReport(report);
  console.log(toMarkdown(report));
  const missed = report.results.filter(({ ratio, aim }) => ratio < aim);
  for (const { operation, ratio, aim } of missed) console.error(`${operation}: ${ratio} is below ${aim}`);
  for (const { operation, isHonest } of report.results)
    if (!isHonest) console.error(`${operation}: the answers were not as hot or cold as they should be`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
}
