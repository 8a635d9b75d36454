/**
 * Requests a second of v3 on a generated index of a million transactions, each query beside its own SQL statements sent
 * bare. Usage: npm run bench:v3 [-- --prepare --transactions 1000000 --data FOLDER --only traces --rounds 3 --seconds 2 --quick
 * --profile FOLDER]. The database is made once and kept in the folder, one in the system's temporary directory unless told
 * otherwise; `--prepare` does no more than that. Profiles are those of the server. Ends with 1 when an aim is missed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startMeasured } from './http/measured-process.ts';
import { describeMachine } from './http/report.ts';
import { startBare } from './v3/bare.ts';
import { createCases } from './v3/cases.ts';
import { type CaseResult, type Effort, measureCase } from './v3/measure-case.ts';
import { readPools } from './v3/pools.ts';
import { prepareDatabase } from './v3/prepare.ts';
import { openRecorder } from './v3/record.ts';
import { missedAims, type Report, toMarkdown, writeReport } from './v3/report.ts';

/** As many as a server opens unless told otherwise. */
const POOL_SIZE = 10;
/** Enough to keep the processors of a small machine busy. */
const AT_A_TIME = 4;

const { values } = parseArgs({
  options: {
    prepare: { type: 'boolean', default: false },
    transactions: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const transactions = Number(values.transactions);
const effort: Effort = {
  rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
  seconds: Number(values.seconds ?? (values.quick ? 0.5 : 2)),
  concurrency: AT_A_TIME,
};

/** What came of all cases; one that did not answer does not keep the others from being measured. */
async function measureAll(url: string, folder: string): Promise<Pick<Report, 'results' | 'failed'>> {
  const cases = createCases(await readPools(url)).filter(({ name }) => name.includes(values.only));
  const recorder = await openRecorder(url);
  const bare = await startBare(folder, url, POOL_SIZE);
  const server = await startMeasured({
    args: [
      ...(values.profile ? ['--cpu-prof', '--cpu-prof-dir', values.profile] : []),
      fileURLToPath(new URL('./v3/server-process.ts', import.meta.url)),
      url,
      String(POOL_SIZE),
    ],
    outputFile: join(folder, 'server.log'),
    timeoutMs: 20_000,
  });
  try {
    const results: CaseResult[] = [];
    const failed: string[] = [];
    for (const benchCase of cases) {
      try {
        const result = await measureCase(benchCase, { server, bare, recorder }, effort);
        console.error(`${result.name}: ${result.ratio}, p99 ${result.aloneP99Ms} ms`);
        results.push(result);
      } catch (error) {
        console.error(error);
        failed.push(`${benchCase.name}: ${String(error).split(/[\r\n]/, 1)[0]}`);
      }
    }
    return { results, failed };
  } finally {
    await server.stop();
    await bare.stop();
    await recorder.close();
  }
}

async function databaseBytes(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select pg_database_size(current_database())::float8 as bytes');
  await client.end();
  return rows[0].bytes;
}

async function run(url: string): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'tongate-bench-'));
  try {
    const measured = await measureAll(url, folder);
    return {
      date: new Date().toISOString().slice(0, 10),
      machine: describeMachine(),
      node: process.version,
      transactions,
      effort,
      poolSize: POOL_SIZE,
      databaseBytes: await databaseBytes(url),
      ...measured,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const data = values.data ?? join(tmpdir(), 'tongate-bench-v3');
mkdirSync(data, { recursive: true });
const { url, close } = await prepareDatabase(data, transactions);
try {
  if (!values.prepare) {
    const report = await run(url);
    // What was measured in part or in haste is not worth keeping.
    if (!values.quick && values.only === '') writeReport(report);
    console.log(toMarkdown(report));
    process.exitCode = missedAims(report).length > 0 ? 1 : 0;
  }
} finally {
  await close();
}
