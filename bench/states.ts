/**
 * Measures state files: a generated state in split files (wallets, jettons and their wallets) is read, which hashes all its
 * cells, and with --import also written into a new database, without and with --detect with detection of contracts. Reports
 * accounts per second, and memory.
 * Usage: npm run bench:states -- [--accounts 500000] [--split-depth 4] [--folder DIR] [--make] [--import] [--detect]
 * [--write-results]. A folder that has a state already is used again. With --make it only makes the state.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readBoc } from '../src/chain/boc/bag.ts';
import { openDatabase } from '../src/cli/open-database.ts';
import { readSettings } from '../src/config/settings.ts';
import type { Db } from '../src/db/tables/tables.ts';
import { createDetection } from '../src/detect/create-detection.ts';
import { DETECTORS } from '../src/detect/detectors/all-detectors.ts';
import { knownContracts } from '../src/detect/known-contracts.ts';
import { createWriter } from '../src/index/write/writer.ts';
import { detectImported } from '../src/ingest/state-files/detect-imported.ts';
import { findStateFiles, type ShardStateFiles } from '../src/ingest/state-files/find-state-files.ts';
import { importState } from '../src/ingest/state-files/import-state.ts';
import { openShardState, type ProvenState } from '../src/ingest/state-files/shard-state.ts';
import { openStateThread } from '../src/ingest/state-files/state-thread.ts';
import { createNoServers } from '../src/lite/fetch-context.ts';
import { configOfState } from '../src/lite/methods/signatures.ts';
import { createGenesis } from '../src/localnet/genesis/create-genesis.ts';
import { createChainMetadataReader } from '../src/metadata/token-fields.ts';
import { createVm } from '../src/vm/vm.ts';
import { makeState } from '../test/support/made-state.ts';
import { goalLines, row, runInfo, runInfoLines, writeResults } from './support/report.ts';

const QUIET = { info() {}, warn: console.error, error: console.error };
const GOALS = { import: 25_000, detect: 2000, memoryBytes: 1.5e9 };

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '500000' },
    'split-depth': { type: 'string', default: '4' },
    folder: { type: 'string' },
    make: { type: 'boolean', default: false },
    import: { type: 'boolean', default: false },
    detect: { type: 'boolean', default: false },
    'write-results': { type: 'boolean', default: false },
  },
});
const folder = values.folder ?? join(tmpdir(), `tongate-states-${values.accounts}`);
const workFolder = join(folder, 'work');
const record = join(folder, 'made.json');

interface Made {
  readonly hash: string;
  readonly seqno: number;
  readonly accounts: number;
  readonly jettonWallets: number;
  readonly accountsDigest: string;
}

interface Measured {
  readonly name: 'read' | 'import' | 'detect';
  readonly accounts: number;
  readonly seconds: number;
  readonly accountsPerSecond: number;
  readonly peakBytes: number;
}

const DESCRIPTIONS = {
  read: 'all cells hashed, all accounts read and their hashes compared',
  import: 'the same and written, without detection',
  detect: 'the same with detection',
} as const;

if (!existsSync(record)) {
  const splitDepth = Number(values['split-depth']);
  const { proven, ...made } = await makeState({ folder, accounts: Number(values.accounts), splitDepth });
  const state: Made = { ...made, hash: proven.hash.toString('hex'), seqno: proven.seqno };
  writeFileSync(record, JSON.stringify(state));
}
const made: Made = JSON.parse(readFileSync(record, 'utf8'));
if (!values.make) {
  const measured = [await measure('read', readAccounts)];
  if (values.import) measured.push(await withDatabase((db, url) => importAccounts(db, url, false)));
  if (values.detect) measured.push(await withDatabase((db, url) => importAccounts(db, url, true)));
  if (values['write-results']) report(measured);
}

/** Opens the state, lets `work` go through its accounts, and reports. */
async function measure(
  name: Measured['name'],
  work: (files: ShardStateFiles, proven: ProvenState) => Promise<void>,
): Promise<Measured> {
  const { states } = await findStateFiles([folder]);
  const files = states[0]!.shards[0]!;
  const proven = { workchain: 0, shard: files.shard, seqno: made.seqno, hash: Buffer.from(made.hash, 'hex') };
  let peakBytes = 0;
  const look = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, 100);
  const started = performance.now();
  const startCpu = process.cpuUsage();
  await work(files, proven);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(startCpu);
  clearInterval(look);
  const { accounts } = made;
  const measured = { name, accounts, seconds, accountsPerSecond: accounts / seconds, peakBytes };
  console.error(
    `${name}: ${accounts} accounts in ${seconds.toFixed(1)} s, ${measured.accountsPerSecond.toFixed(0)} accounts/s, ${((user + system) / 1e6).toFixed(1)} s of CPU, ${Math.round(peakBytes / 1e6)} MB of memory`,
  );
  return measured;
}

async function readAccounts(files: ShardStateFiles, proven: ProvenState): Promise<void> {
  const state = await openShardState(files, proven, { workFolder });
  const digest = createHash('sha256');
  for await (const file of state.files())
    for (const { id, cells, cell } of file.accounts()) digest.update(id).update(cells.hash(cell));
  state.close();
  if (digest.digest('hex') !== made.accountsDigest) throw new Error('the accounts differ');
}

async function withDatabase<T>(work: (db: Db, url: string) => Promise<T>): Promise<T> {
  const data = join(folder, 'data');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  // Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
  for (const path of [folder, data]) chmodSync(path, 0o755);
  const { database, url, close } = await openDatabase(
    readSettings({ NETWORK: 'localnet', DATA_DIR: data }),
    QUIET,
  );
  try {
    return await work(database.primary, url);
  } finally {
    await close();
    rmSync(data, { recursive: true, force: true });
  }
}

async function importAccounts(db: Db, url: string, detects: boolean): Promise<Measured> {
  const writer = createWriter({ url, log: QUIET, metadata: createChainMetadataReader() });
  const vm = createVm({ threads: availableParallelism(), log: QUIET, queueLimit: 100_000 });
  try {
    const detection = await createDetector(db, vm);
    const { signal } = new AbortController();
    const measured = await measure(detects ? 'detect' : 'import', async (files, proven) => {
      const state = await openStateThread(files, proven, { workFolder, signal });
      const written = await importState(state, { db, writer, detection, mcSeqno: 1000, signal });
      await state.close();
      if (written !== made.accounts) throw new Error(`${written} accounts are written`);
      if (detects) await detectImported({ db, writer, detection, signal });
    });
    if (detects) await checkWallets(db);
    return measured;
  } finally {
    await vm.close();
    await writer.close();
  }
}

async function createDetector(db: Db, vm: ReturnType<typeof createVm>) {
  const { zeroStates, zeroStateId } = await createGenesis({ now: 1_800_000_000, shards: 1 });
  const state = readBoc(zeroStates[0]!);
  const config = { cells: state, cell: configOfState({ cells: state, cell: state.root }) };
  return createDetection({
    vm,
    db,
    pool: createNoServers(zeroStateId),
    check: { verify: true },
    log: QUIET,
    detectors: DETECTORS,
    known: knownContracts('other'),
    readConfig: async () => config,
  });
}

/** Everything that a wallet's get-methods need is in the state. */
async function checkWallets(db: Db): Promise<void> {
  const count = async (table: 'jetton_wallets' | 'missing_cells'): Promise<number> => {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const [found, open] = [await count('jetton_wallets'), await count('missing_cells')];
  if (found !== made.jettonWallets || open > 0)
    throw new Error(`${found} of ${made.jettonWallets} jetton wallets found, ${open} accounts left open`);
}

function report(measured: readonly Measured[]): void {
  const missed = measured.flatMap(({ name, accountsPerSecond, peakBytes }) => [
    ...(name !== 'read' && accountsPerSecond < GOALS[name]
      ? [`${name}: ${accountsPerSecond.toFixed(0)} accounts/s, not ${GOALS[name]}`]
      : []),
    ...(peakBytes > GOALS.memoryBytes ? [`${name}: ${(peakBytes / 1e6).toFixed(0)} MB of memory`] : []),
  ]);
  const info = runInfo();
  const page = [
    '# State files benchmark',
    '',
    'Written by `npm run bench:states -- --import --detect --write-results`. The generated state of a basechain in split files,',
    'half of its accounts wallets, the others wallets of jettons with 1000 holders each, is imported into an empty embedded',
    'PostgreSQL on the same machine, with a thread for get-methods per processor.',
    '',
    ...runInfoLines(info),
    `- ${made.accounts} accounts in ${2 ** Number(values['split-depth'])} parts`,
    '',
    row(['', 'seconds', 'accounts per second', 'peak memory']),
    row(['---', '--:', '--:', '--:']),
    ...measured.map(({ name, seconds, accountsPerSecond, peakBytes }) =>
      row([
        DESCRIPTIONS[name],
        seconds.toFixed(1),
        accountsPerSecond.toFixed(0),
        `${(peakBytes / 1e6).toFixed(0)} MB`,
      ]),
    ),
    '',
    ...goalLines(missed),
    '',
  ].join('\n');
  writeResults('states', { ...info, measured }, page);
  console.log(page);
  process.exitCode = missed.length > 0 ? 1 : 0;
}
