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
import { sql } from 'kysely';
import { accountKey, fromAccountBytes } from '../src/chain/address.ts';
import { readBoc } from '../src/chain/boc/bag.ts';
import { writeCellBoc } from '../src/chain/boc/writer.ts';
import { methodIdByName } from '../src/chain/contracts/method-ids.ts';
import { MethodResult } from '../src/chain/contracts/probe.ts';
import { addressArgument } from '../src/chain/stack/arguments.ts';
import type { StackEntry } from '../src/chain/stack/entries.ts';
import { readStackBoc, writeStackBoc } from '../src/chain/stack/vm-stack.ts';
import { openDatabase } from '../src/cli/open-database.ts';
import { readSettings } from '../src/config/settings.ts';
import { readRows } from '../src/db/driver.ts';
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
import { bytesKey } from '../src/lib/bytes-key.ts';
import { mapInOrder } from '../src/lib/concurrency.ts';
import { createNoServers } from '../src/lite/fetch-context.ts';
import { configOfState } from '../src/lite/methods/signatures.ts';
import { createGenesis } from '../src/localnet/genesis/create-genesis.ts';
import { createChainMetadataReader } from '../src/metadata/token-fields.ts';
import { prepareConfig } from '../src/vm/shared-inputs.ts';
import { createVm, type Vm } from '../src/vm/vm.ts';
import { makeState } from '../test/support/made-state.ts';
import { watchStolenTime } from './support/measure.ts';
import { goalLines, row, runInfo, runInfoLines, writeResults } from './support/report.ts';

const QUIET = { info() {}, warn: console.error, error: console.error };
const NOW = 1_800_000_000;
/** Wallets of jettons whose get-methods are run once more. */
const MAX_CHECKED = 20_000;
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
  /** Share of the processors' time that other guests of the host took. */
  readonly stolen: number;
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
  const stolenSince = watchStolenTime();
  await work(files, proven);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(startCpu);
  const stolen = stolenSince();
  clearInterval(look);
  const { accounts } = made;
  const measured = { name, accounts, seconds, accountsPerSecond: accounts / seconds, peakBytes, stolen };
  console.error(
    `${name}: ${accounts} accounts in ${seconds.toFixed(1)} s, ${measured.accountsPerSecond.toFixed(0)} accounts/s, ${((user + system) / 1e6).toFixed(1)} s of CPU, ${Math.round(peakBytes / 1e6)} MB of memory, ${(stolen * 100).toFixed(1)} % stolen`,
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
    if (detects) await checkHolders(db, vm);
    return measured;
  } finally {
    await vm.close();
    await writer.close();
  }
}

async function readGenesis() {
  const { zeroStates, zeroStateId } = await createGenesis({ now: NOW, shards: 1 });
  const state = readBoc(zeroStates[0]!);
  const config = { cells: state, cell: configOfState({ cells: state, cell: state.root }) };
  return { zeroStateId, config };
}

async function createDetector(db: Db, vm: Vm) {
  const { zeroStateId, config } = await readGenesis();
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

/** Runs the get-methods of wallets and of their jettons once more, one by one and with the whole config. */
async function checkHolders(db: Db, vm: Vm): Promise<void> {
  const { config } = await readGenesis();
  const shared = {
    ...prepareConfig(writeCellBoc(config.cells, config.cell)),
    trimmed: undefined,
    limits: undefined,
  };
  const step = Math.ceil(made.jettonWallets / MAX_CHECKED);
  const rows = await readRows<{ account: Buffer; owner: Buffer; jetton: Buffer; balance: string }>(db)`
    select account, owner, jetton, balance::text from (
      select *, row_number() over (order by account) as place from jetton_wallets
    ) numbered where place % ${sql.lit(step)} = 0
  `;
  const contracts = new Map(
    (
      await readRows<{ account: Buffer; code: Buffer; data: Buffer }>(db)`
        select state.account, code.boc as code, data.boc as data from latest_account_states state
        join contract_codes code on code.hash = state.code_hash join account_data data on data.account = state.account
        where state.account = any(${[...rows.map(({ account }) => account), ...rows.map(({ jetton }) => jetton)]})
      `
    ).map((contract) => [bytesKey(contract.account), contract]),
  );
  const ask = async (account: Buffer, method: string, args: readonly StackEntry[]): Promise<MethodResult> => {
    const { code, data } = contracts.get(bytesKey(account))!;
    const { stack } = await vm.runGetMethod({
      code,
      data,
      address: `${account.readInt8(0)}:${account.toString('hex', 1)}`,
      balance: 0n,
      config: shared,
      utime: NOW,
      methodId: methodIdByName(method),
      stack: writeStackBoc(args),
    });
    return new MethodResult(readStackBoc(stack));
  };
  const keyOf = (result: MethodResult, place: number): Buffer => {
    const { workchain, hash } = result.address(place)!;
    return accountKey(workchain, hash);
  };
  await mapInOrder(rows, 32, async ({ account, owner, jetton, balance }) => {
    const wallet = await ask(account, 'get_wallet_data', []);
    const place = await ask(jetton, 'get_wallet_address', [addressArgument(fromAccountBytes(owner))]);
    const isSame =
      String(wallet.integer(0)) === balance &&
      keyOf(wallet, 1).equals(owner) &&
      keyOf(wallet, 2).equals(jetton) &&
      keyOf(place, 0).equals(account);
    if (!isSame) throw new Error(`the get-methods of ${account.toString('hex')} say something else`);
  });
  console.error(`holders: ${rows.length} of ${made.jettonWallets} compared with their get-methods`);
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
    'PostgreSQL on the same machine, with a thread for get-methods per processor. After detection up to 20 000 wallets of jettons are',
    'compared with what their get-methods and those of their jettons say. "stolen" is what other guests of the host took of all',
    'processors meanwhile.',
    '',
    ...runInfoLines(info),
    `- ${made.accounts} accounts in ${2 ** Number(values['split-depth'])} parts`,
    '',
    row(['', 'seconds', 'accounts per second', 'peak memory', 'stolen %']),
    row(['---', '--:', '--:', '--:', '--:']),
    ...measured.map(({ name, seconds, accountsPerSecond, peakBytes, stolen }) =>
      row([
        DESCRIPTIONS[name],
        seconds.toFixed(1),
        accountsPerSecond.toFixed(0),
        `${(peakBytes / 1e6).toFixed(0)} MB`,
        (stolen * 100).toFixed(1),
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
