/**
 * Measures state files: a generated state in split files (wallets and jetton wallets) is read, which hashes all its cells, and
 * with --import written into a new database, without detection. Reports accounts per second, and memory.
 * Usage: npm run bench:states -- [--accounts 500000] [--split-depth 4] [--folder DIR] [--make] [--import]. A folder that has a
 * state already is used again. With --make it only makes the state.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/cli/open-database.ts';
import { readSettings } from '../src/config/settings.ts';
import { createWriter } from '../src/index/write/writer.ts';
import { findStateFiles } from '../src/ingest/state-files/find-state-files.ts';
import { importState } from '../src/ingest/state-files/import-state.ts';
import { type OpenShardState, openShardState } from '../src/ingest/state-files/shard-state.ts';
import { createChainMetadataReader } from '../src/metadata/token-fields.ts';
import { makeState } from '../test/support/made-state.ts';

const QUIET = { info() {}, warn: console.error, error: console.error };

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '500000' },
    'split-depth': { type: 'string', default: '4' },
    folder: { type: 'string' },
    make: { type: 'boolean', default: false },
    import: { type: 'boolean', default: false },
  },
});
const folder = values.folder ?? join(tmpdir(), `tongate-states-${values.accounts}`);
const record = join(folder, 'made.json');
if (!existsSync(record)) {
  const accounts = Number(values.accounts);
  const { proven, ...made } = await makeState({
    folder,
    accounts,
    splitDepth: Number(values['split-depth']),
  });
  const state = { hash: proven.hash.toString('hex'), seqno: proven.seqno };
  writeFileSync(record, JSON.stringify({ ...made, ...state }));
}
if (!values.make) {
  await measure('read', readAccounts);
  if (values.import) await measure('import', importAccounts);
}

/** Opens the state, lets `work` go through its accounts, and reports. */
async function measure(name: string, work: (state: OpenShardState) => Promise<void>): Promise<void> {
  const made = JSON.parse(readFileSync(record, 'utf8'));
  const { states } = await findStateFiles([folder]);
  const files = states[0]!.shards[0]!;
  const proven = { workchain: 0, shard: files.shard, seqno: made.seqno, hash: Buffer.from(made.hash, 'hex') };
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 100);
  const started = performance.now();
  const state = await openShardState(files, proven, { workFolder: join(folder, 'work') });
  await work(state);
  const seconds = (performance.now() - started) / 1000;
  state.close();
  clearInterval(look);
  const report = {
    accounts: made.accounts,
    seconds: Number(seconds.toFixed(1)),
    accountsPerSecond: Math.round(made.accounts / seconds),
    peakMegabytes: Math.round(peak / 2 ** 20),
  };
  console.log(name, JSON.stringify(report));
}

async function readAccounts(state: OpenShardState): Promise<void> {
  const digest = createHash('sha256');
  for await (const file of state.files())
    for (const { id, cells, cell } of file.accounts()) digest.update(id).update(cells.hash(cell));
  const { accountsDigest } = JSON.parse(readFileSync(record, 'utf8'));
  if (digest.digest('hex') !== accountsDigest) throw new Error('the accounts differ');
}

async function importAccounts(state: OpenShardState): Promise<void> {
  const data = join(folder, 'data');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  // Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
  for (const path of [folder, data]) chmodSync(path, 0o755);
  const settings = readSettings({ NETWORK: 'localnet', DATA_DIR: data });
  const { database, url, close } = await openDatabase(settings, QUIET);
  const writer = createWriter({ url, log: QUIET, metadata: createChainMetadataReader() });
  try {
    const started = performance.now();
    const { signal } = new AbortController();
    const accounts = await importState(state, { db: database.primary, writer, mcSeqno: 1000, signal });
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `${accounts} accounts written in ${seconds.toFixed(1)} s, ${Math.round(accounts / seconds)} accounts/s`,
    );
  } finally {
    await writer.close();
    await close();
    rmSync(data, { recursive: true, force: true });
  }
}
