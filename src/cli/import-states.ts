import { join } from 'node:path';
import type { Database } from '../db/connection.ts';
import { createDetection } from '../detect/create-detection.ts';
import { DETECTORS } from '../detect/detectors/all-detectors.ts';
import { knownContracts } from '../detect/known-contracts.ts';
import { checkIndexNetwork, openOrigin, partitionSeqnosFor } from '../index/coverage.ts';
import { createWriter } from '../index/write/writer.ts';
import { BagUnavailable } from '../ingest/dump/bag-loader.ts';
import { detectImported } from '../ingest/state-files/detect-imported.ts';
import {
  type FoundStates,
  findStateFiles,
  type StatesAtBlock,
} from '../ingest/state-files/find-state-files.ts';
import { importState } from '../ingest/state-files/import-state.ts';
import { liteBlocks, proveStates, proveZeroStates } from '../ingest/state-files/proven-states.ts';
import { StateFileError } from '../ingest/state-files/state-file-error.ts';
import { openStateThread } from '../ingest/state-files/state-thread.ts';
import { Failure, StartError, UsageError } from '../lib/errors.ts';
import type { TextOutput } from '../lib/log.ts';
import { ShardProofCache } from '../lite/methods/proofs.ts';
import type { LitePool } from '../lite/pool.ts';
import { createChainMetadataReader } from '../metadata/token-fields.ts';
import { createVm } from '../vm/vm.ts';
import { readArguments, readSeqno } from './arguments.ts';
import { formatBytes } from './format.ts';
import type { ImportPorts } from './import-blocks.ts';
import { GET_METHOD_QUEUE, metadataSettings, networkOf, threadsOf } from './indexing.ts';
import { openLiteServers } from './lite-servers.ts';
import { openDatabase } from './open-database.ts';
import {
  completeDumpOption,
  DUMP_OPTIONS,
  DUMP_USAGE,
  type DumpArguments,
  describeBags,
  openDump,
  readDumpArguments,
} from './open-dump.ts';
import { checkStart } from './start-checks.ts';

const USAGE = `usage: import --states DIR... [--at SEQNO] [--no-detection], or import --states dump [--dump URL|FILE] ${DUMP_USAGE} [--at SEQNO] [--no-detection]`;
/** In the place of folders: a bag of the dump. */
const DUMP = 'dump';
const PROGRESS_MS = 5000;
/** How long lite servers may take to respond at all. */
const LITE_MS = 10_000;
const MAX_NAMED = 5;

/** Writes the complete state at a masterchain block into the index, from state files of a node. */
export async function importCommand(ports: ImportPorts): Promise<number> {
  const { folders, at, detects, dump } = readArgs(ports.args);
  if (dump === undefined) return importFolders(ports, { folders, at, detects });
  const bag = await loadStates(ports, dump, at);
  try {
    const code = await importFolders(ports, { folders: [bag.path], at, detects });
    await bag.remove();
    return code;
  } catch (error) {
    // After anything else it stays, to be found again.
    if ((error as Error).cause instanceof StateFileError) await bag.remove();
    throw error;
  }
}

/** Loads the bag with the newest states, or those at a block. */
async function loadStates(ports: ImportPorts, dump: DumpArguments, at: number | undefined) {
  const { signal, out } = ports;
  const { source, list, loader } = await openDump({ ...ports, dump });
  const chosen = at === undefined ? list.states.at(-1) : list.states.find(({ mcSeqno }) => mcSeqno === at);
  if (chosen === undefined) {
    const seqnos = list.states.map(({ mcSeqno }) => mcSeqno).slice(-MAX_NAMED);
    const known = seqnos.length === 0 ? 'it has none' : `the newest are at ${seqnos.join(', ')}`;
    throw new StartError(
      `--at: ${source} has no states${at === undefined ? '' : ` at masterchain block ${at}`}; ${known}`,
    );
  }
  out.write(`Loading the states at masterchain block ${chosen.mcSeqno}, bag ${chosen.bag} of ${source}\n`);
  const bag = loader.open(chosen.bag);
  const timer = setInterval(() => out.write(`Bag ${describeBags(loader)}\n`), PROGRESS_MS);
  try {
    await bag.load(signal);
    return bag;
  } catch (error) {
    if (!(error instanceof BagUnavailable)) throw error;
    await bag.remove();
    throw new StartError(`--states: bag ${chosen.bag}: ${error.message}`, { cause: error });
  } finally {
    clearInterval(timer);
  }
}

interface FolderArguments {
  readonly folders: readonly string[];
  readonly at: number | undefined;
  readonly detects: boolean;
}

async function importFolders(ports: ImportPorts, { folders, at, detects }: FolderArguments): Promise<number> {
  const { settings, log, signal } = ports;
  const found = await findStateFiles(folders);
  const states = chooseStates(found, folders, at);
  const assertRunning = (): void => signal.throwIfAborted();
  const { groups } = await checkStart(settings, { lite: { log, assertRunning } });
  const { database, url, close } = await openDatabase(settings, log, { create: true });
  const lite = await openLiteServers({ settings, groups, log });
  try {
    const pool = lite.pool(undefined);
    if (states !== undefined) await lite.settle(LITE_MS);
    if (states !== undefined && pool.head === undefined)
      throw new StartError(`No lite server of ${settings.network} responds: see tongate doctor`);
    await checkIndexNetwork(database.primary, {
      network: settings.network,
      zeroState: pool.zeroState.rootHash,
    });
    await importStates({ ...ports, database, url, pool, states, zeroStates: found.zeroStates, detects });
    return 0;
  } catch (error) {
    throw error instanceof StateFileError ? new StartError(error.message, { cause: error }) : error;
  } finally {
    await lite.close();
    await close();
  }
}

interface ImportParts extends ImportPorts {
  readonly database: Database;
  readonly url: string;
  readonly pool: LitePool;
  /** Undefined for the zero states. */
  readonly states: StatesAtBlock | undefined;
  readonly zeroStates: readonly string[];
  readonly detects: boolean;
}

async function importStates(parts: ImportParts): Promise<void> {
  const { settings, database, url, pool, states, detects, log, out, signal } = parts;
  const mcSeqno = states?.mcSeqno ?? 0;
  const check = { verify: settings.liteVerify, shardProofs: new ShardProofCache() };
  const workFolder = join(settings.dataDir, 'import');
  const toImport =
    states === undefined
      ? await proveZeroStates(parts.zeroStates, pool.zeroState, { workFolder, signal })
      : await proveStates(states, liteBlocks({ pool, check, signal })).catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error;
          const text = `The state at masterchain block ${mcSeqno} cannot be proven: ${error.message}`;
          throw new StartError(text, { cause: error });
        });
  const db = database.primary;
  const origin = await openOrigin(db, {
    zeroState: pool.zeroState.rootHash,
    firstSeqno: mcSeqno + 1,
    partitionSeqnos: partitionSeqnosFor(settings.indexKeep),
  });
  // While contracts are detected, the main thread has little else to do.
  const threads = threadsOf(settings) + (settings.indexThreads === 'auto' ? 1 : 0);
  const writer = createWriter({ url, log, metadata: createChainMetadataReader(metadataSettings(settings)) });
  const vm = createVm({ threads, log, queueLimit: GET_METHOD_QUEUE });
  const known = knownContracts(networkOf(settings));
  const detection = createDetection({ vm, db, pool, check, log, detectors: DETECTORS, known });
  const progress = showProgress(out);
  try {
    for (const { files, proven } of toImport) {
      const state = await openStateThread(files, proven, {
        workFolder,
        signal,
        onHashed: progress.onHashed,
      });
      try {
        const options = { db, writer, detection, mcSeqno, signal, onWritten: progress.onWritten };
        const accounts = await importState(state, options);
        out.write(`${files.path}: ${accounts} accounts, ${formatBytes(state.size)}\n`);
      } finally {
        await state.close();
      }
    }
    if (detects) await detectImported({ db, writer, detection, signal, onDetected: progress.onDetected });
  } finally {
    progress.end();
    await vm.close();
    await writer.close();
  }
  out.write(`The state at masterchain block ${mcSeqno} is complete in the index.\n`);
  if (origin.firstSeqno > mcSeqno + 1)
    out.write(
      `The index begins at ${origin.firstSeqno}: set INDEX_FROM=${mcSeqno + 1}, so that it knows what changed between.\n`,
    );
}

function showProgress(out: TextOutput) {
  const startMs = performance.now();
  let accounts = 0;
  let hashed = '';
  let detected = 0;
  let detectMs = 0;
  const timer = setInterval(() => {
    const rate = (count: number, sinceMs: number): string => {
      const seconds = (performance.now() - sinceMs) / 1000;
      return `${Math.round(count / seconds)} accounts/s`;
    };
    if (detected > 0) out.write(`${detected} accounts examined, ${rate(detected, detectMs)}\n`);
    else out.write(`${accounts} accounts written, ${rate(accounts, startMs)}${hashed}\n`);
  }, PROGRESS_MS);
  return {
    onHashed(path: string, share: number): void {
      hashed = share < 1 ? `; ${path}: ${Math.floor(share * 100)} % proven` : '';
    },
    onWritten(count: number): void {
      accounts += count;
    },
    onDetected(count: number): void {
      if (detected === 0) detectMs = performance.now();
      detected += count;
    },
    end: () => clearInterval(timer),
  };
}

/** The newest states, or those at a block; undefined for the zero states. */
function chooseStates(
  { states, zeroStates }: FoundStates,
  folders: readonly string[],
  at: number | undefined,
): StatesAtBlock | undefined {
  const chosen = at === undefined ? states.at(-1) : states.find(({ mcSeqno }) => mcSeqno === at);
  if (chosen !== undefined || (zeroStates.length > 0 && (at ?? 0) === 0)) return chosen;
  const what = at === undefined ? 'state files' : `state files of masterchain block ${at}`;
  throw new StartError(
    `No ${what} below ${folders.join(', ')}: their names begin with state_, statesplit_ or zerostate_`,
  );
}

function readArgs(args: readonly string[]) {
  const options = {
    states: { type: 'string', multiple: true },
    at: { type: 'string' },
    'no-detection': { type: 'boolean', default: false },
    ...DUMP_OPTIONS,
  } as const;
  const { values, positionals } = readArguments(
    { args: completeDumpOption(args), options, allowPositionals: true },
    (text) => `import: ${text}; ${USAGE}`,
  );
  if (values.states === undefined) throw new UsageError(`import: --states is missing; ${USAGE}`);
  const folders = [...values.states, ...positionals];
  const isDump = folders.length === 1 && folders[0] === DUMP;
  if (!isDump && values.dump !== undefined)
    throw new UsageError(`import: --dump goes with --states dump, not with folders; ${USAGE}`);
  return {
    folders,
    dump: isDump ? readDumpArguments(values, USAGE) : undefined,
    at: values.at === undefined ? undefined : values.at === '0' ? 0 : readSeqno('--at', values.at, USAGE),
    detects: !values['no-detection'],
  };
}
