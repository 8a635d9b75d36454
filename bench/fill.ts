/**
 * Fills a database with a generated index: real cells, written by the writer of the indexer.
 * Usage: npm run fill -- --transactions 1000000 [--seqnos 1000000000 --seed 1 --threads 2 --partition-seqnos 268435456
 * --database-url URL | --data FOLDER] [--actions] [--keep-indexes] [--restart]. Without a URL, here or in DATABASE_URL, it
 * starts a PostgreSQL of its own in the folder, by default in the system's temporary directory. A run that was interrupted
 * continues if it is started again with the same options. See docs/operate/scale.md.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/cli/open-database.ts';
import { readSettings } from '../src/config/settings.ts';
import { partitionSeqnosFor } from '../src/index/coverage.ts';
import { fillIndex } from './fill/fill-index.ts';
import { FillError } from './fill/fill-run.ts';
import { type FillOptions, TRANSACTIONS_PER_SEQNO } from './fill/plan.ts';

const QUIET = { info() {}, warn: console.error, error: console.error };

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '1000000' },
    seqnos: { type: 'string' },
    seed: { type: 'string', default: '1' },
    threads: { type: 'string', default: '2' },
    'partition-seqnos': { type: 'string', default: String(partitionSeqnosFor('all')) },
    'database-url': { type: 'string' },
    data: { type: 'string', default: join(tmpdir(), 'tongate-fill') },
    actions: { type: 'boolean', default: false },
    'keep-indexes': { type: 'boolean', default: false },
    restart: { type: 'boolean', default: false },
  },
});
const transactions = Number(values.transactions);
const options: FillOptions = {
  transactions,
  seqnos: Number(values.seqnos ?? Math.ceil(transactions / TRANSACTIONS_PER_SEQNO / 10) * 10),
  seed: Number(values.seed),
  lanes: Number(values.threads),
  partitionSeqnos: Number(values['partition-seqnos']),
};

async function openFilled() {
  const databaseUrl = values['database-url'] ?? process.env.DATABASE_URL;
  if (databaseUrl !== undefined)
    return openDatabase(readSettings({ NETWORK: 'localnet', DATABASE_URL: databaseUrl }), QUIET);
  mkdirSync(values.data, { recursive: true });
  // Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
  chmodSync(values.data, 0o755);
  return openDatabase(readSettings({ NETWORK: 'localnet', DATA_DIR: join(values.data, 'data') }), QUIET);
}

try {
  const { url, close } = await openFilled();
  try {
    const interrupted = new AbortController();
    process.once('SIGINT', () => interrupted.abort());
    process.once('SIGTERM', () => interrupted.abort());
    const { busy } = await fillIndex(options, {
      url,
      log: QUIET,
      actions: values.actions,
      keepIndexes: values['keep-indexes'],
      restart: values.restart,
      signal: interrupted.signal,
      onProgress: console.error,
    });
    console.log(`Filled ${url}`);
    console.log(`Busiest account: ${busy.account} with ${busy.count} transactions`);
    console.log('More keys: select samples from fill.run');
  } finally {
    await close();
  }
} catch (error) {
  if (!(error instanceof FillError || error instanceof RangeError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
