/**
 * Requests per second of v3 on a generated index of a million transactions, each compared with its bare SQL statements.
 * Usage: npm run bench:v3 [-- --prepare --transactions 1000000 --seqnos 24000000 --data FOLDER --only traces --rounds 3
 * --seconds 2 --quick --profile FOLDER]. The database is generated once and kept in the folder, by default in the system's
 * temporary directory; `--prepare` only generates it. `--profile` writes CPU profiles of the server.
 * `--histories 200000/10000000,200000/1000000000` measures look-ups in turns on indexes of so many
 * transactions and masterchain seqnos.
 * Exits with 1 if a goal is missed.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { runInfo, writeResults } from './support/report.ts';
import { createCases } from './v3/cases.ts';
import {
  HISTORY_CASES,
  type HistoryReport,
  haveOneSize,
  historyMarkdown,
  missedHistoryGoals,
} from './v3/history-report.ts';
import type { Effort } from './v3/measure-case.ts';
import { measureHistories } from './v3/measure-histories.ts';
import { type IndexResult, measureIndex, POOL_SIZE } from './v3/measure-index.ts';
import { type PreparedDatabase, prepareDatabase } from './v3/prepare.ts';
import { missedGoals, type Report, toMarkdown, writeReport } from './v3/report.ts';

/** Enough to saturate a small machine. */
const CONCURRENCY = 4;

const { values } = parseArgs({
  options: {
    prepare: { type: 'boolean', default: false },
    transactions: { type: 'string', default: '1000000' },
    seqnos: { type: 'string', default: '24000000' },
    histories: { type: 'string' },
    data: { type: 'string', default: join(tmpdir(), 'tongate-bench-v3') },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const effort: Effort = {
  rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
  seconds: Number(values.seconds ?? (values.quick ? 0.5 : 2)),
  concurrency: CONCURRENCY,
};
// Partial and quick runs are not stored.
const isStored = !values.quick && values.only === '';

interface IndexSize {
  readonly transactions: number;
  readonly seqnos: number;
}

/** Prepares the index in a folder and measures the chosen cases on it; undefined with `--prepare`. */
async function measure(
  folder: string,
  size: IndexSize,
  isWanted: (name: string) => boolean,
): Promise<(IndexResult & { readonly databaseBytes: number }) | undefined> {
  mkdirSync(folder, { recursive: true });
  const { url, samples, close } = await prepareDatabase(folder, size);
  try {
    if (values.prepare) return undefined;
    const cases = createCases(samples).filter(({ name }) => isWanted(name) && name.includes(values.only));
    const measured = await measureIndex({ url, cases, effort, profile: values.profile });
    return { ...measured, databaseBytes: await databaseBytes(url) };
  } finally {
    await close();
  }
}

async function databaseBytes(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select pg_database_size(current_database())::float8 as bytes');
  await client.end();
  return rows[0].bytes;
}

async function measureOne(): Promise<void> {
  const size = { transactions: Number(values.transactions), seqnos: Number(values.seqnos) };
  const measured = await measure(values.data, size, () => true);
  if (measured === undefined) return;
  const report: Report = { ...runInfo(), ...size, effort, poolSize: POOL_SIZE, ...measured };
  if (isStored) writeReport(report);
  console.log(toMarkdown(report));
  process.exitCode = missedGoals(report).length > 0 ? 1 : 0;
}

/** Opens all indexes and measures them in turns. */
async function compareHistories(sizes: readonly IndexSize[]): Promise<void> {
  const opened: PreparedDatabase[] = [];
  try {
    for (const size of sizes) {
      const folder = join(values.data, `${size.transactions}-in-${size.seqnos}`);
      opened.push(await prepareDatabase(folder, size));
    }
    if (values.prepare) return;
    const isWanted = (name: string) => HISTORY_CASES.has(name) && name.includes(values.only);
    const cases = await measureHistories(
      opened.map(({ url, samples }) => ({
        url,
        cases: createCases(samples).filter(({ name }) => isWanted(name)),
      })),
      effort,
    );
    const bytes = await Promise.all(opened.map(({ url }) => databaseBytes(url)));
    const histories = sizes.map((size, at) => ({ ...size, databaseBytes: bytes[at]! }));
    const report: HistoryReport = { ...runInfo(), effort, histories, cases };
    if (isStored)
      writeResults(haveOneSize(sizes) ? 'v3-history' : 'v3-size', report, historyMarkdown(report));
    console.log(historyMarkdown(report));
    process.exitCode = missedHistoryGoals(report).length > 0 ? 1 : 0;
  } finally {
    for (const { close } of opened) await close();
  }
}

if (values.histories === undefined) await measureOne();
else await compareHistories(values.histories.split(',').map(sizeOf));

function sizeOf(text: string): IndexSize {
  const [transactions, seqnos] = text.split('/').map(Number);
  if (!transactions || !seqnos) throw new RangeError(`"${text}" is not transactions/seqnos`);
  return { transactions, seqnos };
}
