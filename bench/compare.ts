/**
 * Speed of this checkout relative to another one, case by case in turns in one run: the figures of a shared machine change
 * too much to compare two runs.
 * Usage: npm run bench:compare -- --base FOLDER [--parts v2,v3 --only 'traces by;hot' --rounds 7 --seconds 1.5 --concurrency 16
 * --transactions 500000 --data FOLDER]. FOLDER is a checkout of another commit with the same migrations and its packages installed.
 * The index and the chain are generated once and kept in the data folder. Exits with 1 if a case is below 0.95.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chainFolder } from '../src/localnet/chain/chain-folder.ts';
import { backendsUsage } from './compare/backends-usage.ts';
import { compareCase, type Endpoint, GOAL, type TurnsResult, toMarkdown } from './compare/turns.ts';
import type { HttpCall } from './support/load.ts';
import { root, startTongate } from './support/servers.ts';
import { createCases as createV2Cases } from './v2/cases.ts';
import { startChain } from './v2/chain.ts';
import { createContent } from './v2/content.ts';
import { createRawEmulator } from './v2/raw-emulator.ts';
import { openRawLite } from './v2/raw-lite.ts';
import { createCases as createV3Cases } from './v3/cases.ts';
import { startV3Server } from './v3/measure-index.ts';
import { prepareDatabase } from './v3/prepare.ts';

const BLOCK_MS = 1000;
const SEQNOS = 24_000_000;
const HOT_CONNECTIONS = 64;
const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    parts: { type: 'string', default: 'v2,v3' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1.5' },
    concurrency: { type: 'string', default: '16' },
    transactions: { type: 'string', default: '500000' },
    data: { type: 'string', default: join(tmpdir(), 'tongate-bench-compare') },
  },
});
if (values.base === undefined) throw new Error('--base FOLDER is missing: the checkout to compare with');
const checkouts = [resolve(values.base), root];
const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
const concurrency = Number(values.concurrency);
const wanted = values.only.split(';');
const isWanted = ({ name }: { readonly name: string }): boolean => wanted.some((part) => name.includes(part));

/** Starts an endpoint per checkout, works with them and stops them. */
async function withEndpoints<T>(
  start: (checkout: string, at: number) => Promise<Endpoint>,
  work: (endpoints: readonly Endpoint[]) => Promise<T>,
): Promise<T> {
  const endpoints: Endpoint[] = [];
  try {
    for (const [at, checkout] of checkouts.entries()) endpoints.push(await start(checkout, at));
    return await work(endpoints);
  } finally {
    for (const { server } of endpoints) await server.stop();
  }
}

async function compareV3(): Promise<TurnsResult[]> {
  const folder = join(values.data, 'v3');
  mkdirSync(folder, { recursive: true });
  const size = { transactions: Number(values.transactions), seqnos: SEQNOS };
  const { url, samples, close } = await prepareDatabase(folder, size);
  const databaseCpu = await backendsUsage(url);
  try {
    return await withEndpoints(
      async (checkout, at) => ({
        server: await startV3Server({ url, checkout, outputFile: join(folder, `server-${at}.log`) }),
        headers: {},
        databaseCpu,
      }),
      async (endpoints) => {
        const results: TurnsResult[] = [];
        for (const { name, paths } of createV3Cases(samples).filter(isWanted)) {
          const calls = paths.map((path): HttpCall => ({ method: 'GET', path, headers: {} }));
          results.push(await compareCase({ name: `v3 ${name}`, calls, concurrency, endpoints, effort }));
        }
        return results;
      },
    );
  } finally {
    await close();
  }
}

async function compareV2(): Promise<TurnsResult[]> {
  const folder = join(values.data, 'v2');
  mkdirSync(folder, { recursive: true });
  // Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
  chmodSync(folder, 0o755);
  const chain = await startChain(chainFolder(join(folder, 'data')), BLOCK_MS, 'v2');
  const threads = Math.max(1, availableParallelism() - 1);
  const lite = await openRawLite(chain.globalConfigPath);
  const emulator = await createRawEmulator(chain.globalConfigPath, threads);
  try {
    return await withEndpoints(
      async (checkout, at) => {
        // Saturating the server is the purpose, so load shedding is off.
        const settings = { VM_THREADS: String(threads), SHED_LOOP_DELAY_MS: '0' };
        const { server, apiKey } = await startTongate(folder, {
          command: 'serve',
          settings,
          checkout,
          logName: `server-${at}.log`,
        });
        return { server, headers: { 'x-api-key': apiKey } };
      },
      async (endpoints) => {
        const cases = await createV2Cases({ apiKey: '', lite, emulator, content: createContent() });
        const all = [...utilityCases, ...cases.filter(({ sendsMessages }) => !sendsMessages)];
        const results: TurnsResult[] = [];
        for (const { name, calls, baseline } of all.filter(isWanted)) {
          const isHot = baseline === undefined;
          const connections = isHot ? HOT_CONNECTIONS : concurrency;
          results.push(
            await compareCase({ name: `v2 ${name}`, calls, concurrency: connections, endpoints, effort }),
          );
        }
        return results;
      },
    );
  } finally {
    await emulator.close();
    lite.close();
    await chain.stop();
  }
}

/** Need nothing from the chain: the cost of HTTP alone. */
const utilityCases = [
  {
    name: 'detectAddress',
    calls: [{ method: 'GET', path: `/api/v2/detectAddress?address=${ADDRESS}`, headers: {} }],
    baseline: undefined,
  },
  {
    name: 'JSON-RPC detectAddress',
    calls: [
      {
        method: 'POST',
        path: '/api/v2/jsonRPC',
        headers: {},
        body: { jsonrpc: '2.0', id: 1, method: 'detectAddress', params: { address: ADDRESS } },
      },
    ],
    baseline: undefined,
  },
] as const;

const parts = { v2: compareV2, v3: compareV3 };
const results: TurnsResult[] = [];
for (const [name, compare] of Object.entries(parts))
  if (values.parts.split(',').includes(name)) results.push(...(await compare()));
console.log(toMarkdown(results));
process.exitCode = results.some(({ rate }) => rate < GOAL) ? 1 : 0;
