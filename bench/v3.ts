/**
 * Requests per second of v3 on a generated index of a million transactions, each compared with its bare SQL statements.
 * Usage: npm run bench:v3 [-- --prepare --transactions 1000000 --seqnos 24000000 --data FOLDER --only traces --rounds 3 --seconds 2 --quick
 * --profile FOLDER]. The database is generated once and kept in the folder, by default in the system's temporary directory;
 * `--prepare` only generates it. `--profile` writes CPU profiles of the server. Exits with 1 if a goal is missed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { runInfo } from './support/report.ts';
import { startMeasured } from './support/servers.ts';
import { startBare } from './v3/bare.ts';
import { openRecorder } from './v3/bench-app.ts';
import { createCases } from './v3/cases.ts';
import { type CaseResult, type Effort, measureCase } from './v3/measure-case.ts';
import { type PreparedDatabase, prepareDatabase } from './v3/prepare.ts';
import { missedGoals, type Report, toMarkdown, writeReport } from './v3/report.ts';

/** The default pool size of a server. */
const POOL_SIZE = 10;
/** Enough to saturate a small machine. */
const CONCURRENCY = 4;

const { values } = parseArgs({
  options: {
    prepare: { type: 'boolean', default: false },
    transactions: { type: 'string', default: '1000000' },
    seqnos: { type: 'string', default: '24000000' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const transactions = Number(values.transactions);
const seqnos = Number(values.seqnos);
const effort: Effort = {
  rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
  seconds: Number(values.seconds ?? (values.quick ? 0.5 : 2)),
  concurrency: CONCURRENCY,
};

/** Measures all cases; a failed one does not stop the others. */
async function measureAll(
  { url, samples }: PreparedDatabase,
  folder: string,
): Promise<Pick<Report, 'results' | 'failed'>> {
  const cases = createCases(samples).filter(({ name }) => name.includes(values.only));
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

async function run(database: PreparedDatabase): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'tongate-bench-'));
  try {
    const measured = await measureAll(database, folder);
    return {
      ...runInfo(),
      transactions,
      seqnos,
      effort,
      poolSize: POOL_SIZE,
      databaseBytes: await databaseBytes(database.url),
      ...measured,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const data = values.data ?? join(tmpdir(), 'tongate-bench-v3');
mkdirSync(data, { recursive: true });
const database = await prepareDatabase(data, { transactions, seqnos });
try {
  if (!values.prepare) {
    const report = await run(database);
    // Partial and quick runs are not stored.
    if (!values.quick && values.only === '') writeReport(report);
    console.log(toMarkdown(report));
    process.exitCode = missedGoals(report).length > 0 ? 1 : 0;
  }
} finally {
  await database.close();
}
