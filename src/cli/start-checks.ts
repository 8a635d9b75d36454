import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { checkPorts, type ListenOptions } from '../http/listen.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { chainFolder, checkFolderIsFree } from '../localnet/chain/chain-folder.ts';
import { formatBytes } from './format.ts';
import { type LiteGroup, readLiteGroups } from './lite-groups.ts';

interface StartingParts {
  readonly http?: boolean;
  readonly metrics?: boolean;
  readonly localChain?: boolean;
  /** Of a process that uses lite servers. */
  readonly lite?: { readonly log: Log; readonly assertRunning: () => void };
}

interface CheckedStart {
  /** Lite servers by group; none without `lite`. */
  readonly groups: readonly LiteGroup[];
  /** Takes back what the start wrote into the data directory, if it was the first one there. */
  readonly withdraw: () => Promise<void>;
}

/**
 * Checks what a start needs before it begins its long work: the global config, the local chain, the ports, and the data
 * directory last, because that is written to. Throws a StartError that names the setting, its value and what to do.
 */
export async function checkStart(settings: Settings, parts: StartingParts): Promise<CheckedStart> {
  const { dataDir, databaseUrl } = settings;
  const { localChain = false, lite } = parts;
  const network = localChain ? 'localnet' : settings.network;
  const isNeeded = localChain || databaseUrl === undefined;
  await checkMark({ dataDir, network, isNeeded });
  const groups =
    lite === undefined ? [] : await readLiteGroups({ settings, isChainHere: localChain, ...lite });
  if (localChain) checkFolderIsFree(chainFolder(dataDir));
  await checkPorts(portsOf(settings, parts));
  // The chain of a custom network is known by its config alone.
  const zeroState = network === 'custom' ? (await groups[0]?.config())?.zeroState.rootHash : undefined;
  const withdraw = await openDataDir({ dataDir, network, zeroState, isNeeded });
  return { groups, withdraw };
}

function portsOf(settings: Settings, { http, metrics, localChain }: StartingParts): ListenOptions[] {
  const { host, port, metricsHost, metricsPort, localnetLiteHost, localnetLitePort } = settings;
  const ports: ListenOptions[] = [];
  if (http) ports.push({ host, port, setting: 'PORT' });
  if (metrics && metricsPort !== 'off')
    ports.push({ host: metricsHost, port: metricsPort, setting: 'METRICS_PORT' });
  if (localChain)
    ports.push({ host: localnetLiteHost, port: localnetLitePort, setting: 'LOCALNET_LITE_PORT' });
  return ports;
}

/** PostgreSQL and the demo chain take about 150 MB, and PostgreSQL's log of changes grows before it is reused. */
const MIN_FREE_BYTES = 500e6;

interface DataDirOptions {
  readonly dataDir: string;
  readonly network: string;
  /** Root hash of the zero state, where the name of the network does not identify its chain. */
  readonly zeroState?: Buffer | undefined;
  /** Whether the process cannot do without it; others keep copies there if they can. */
  readonly isNeeded: boolean;
  /** Free space that a new directory needs. */
  readonly minFreeBytes?: number;
}

/**
 * Creates the data directory if it is missing, checks that it can be used, and notes its network: data of two networks
 * must not meet in one database. Returns what takes back the note of a directory that had none.
 */
export async function openDataDir(options: DataDirOptions): Promise<() => Promise<void>> {
  const { dataDir, network, zeroState, isNeeded, minFreeBytes = MIN_FREE_BYTES } = options;
  const mark = join(dataDir, MARK);
  const marked = await checkMark(options);
  try {
    await makeDirectory(dataDir);
    if (marked === undefined && isNeeded) await checkSpace(dataDir, minFreeBytes);
    // Written at every start, to see whether it can be.
    const probe = join(dataDir, `write-test-${randomBytes(6).toString('hex')}`);
    await writeFile(probe, '');
    await rm(probe);
    const wanted = zeroState === undefined ? network : `${network} ${zeroState.toString('base64')}`;
    // What is noted already agrees, and may say more.
    if (marked === undefined || wanted.length > marked.length) await writeFile(mark, `${wanted}\n`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (isNeeded) throw await explain(dataDir, error as NodeJS.ErrnoException);
  }
  return async () => {
    if (marked === undefined) await rm(mark, { force: true });
  };
}

/** Throws StartError if a data directory is noted as that of another network. */
export async function checkNetworkOf(settings: { readonly dataDir: string; readonly network: string }) {
  await checkMark({ ...settings, isNeeded: true });
}

/** The file with the network of the data directory; for a custom network it has the zero state too. */
const MARK = 'network';

/** Reads the network that a data directory belongs to; throws StartError if it is another one. */
async function checkMark({ dataDir, network, zeroState, isNeeded }: DataDirOptions) {
  try {
    const marked = await readMark(join(dataDir, MARK));
    const [name, hash] = marked?.split(' ') ?? [];
    if (name !== undefined && name !== network) throw otherNetwork(dataDir, name, network);
    const given = zeroState?.toString('base64');
    if (hash !== undefined && given !== undefined && hash !== given) throw otherChain(dataDir, hash, given);
    return marked;
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (isNeeded) throw await explain(dataDir, error as NodeJS.ErrnoException);
    return undefined;
  }
}

/** With its parents. Node's own recursion never ends where a directory cannot be created, such as below /proc. */
async function makeDirectory(path: string, { withParents = true } = {}): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || !withParents) throw error;
    await makeDirectory(dirname(path));
    await makeDirectory(path, { withParents: false });
  }
}

async function readMark(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function otherNetwork(dataDir: string, marked: string, network: string): StartError {
  return new StartError(
    `DATA_DIR=${dataDir} holds the data of ${marked}, but NETWORK is ${network}; ` +
      `set DATA_DIR to another directory, for example ${dataDir}-${network}`,
  );
}

function otherChain(dataDir: string, marked: string, given: string): StartError {
  return new StartError(
    `DATA_DIR=${dataDir} holds the data of another chain: its zero state is ${marked}, that of TON_CONFIG is ${given}; ` +
      `set DATA_DIR to another directory, for example ${dataDir}-2, or TON_CONFIG to a config of that chain`,
  );
}

async function checkSpace(dataDir: string, minFreeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free >= minFreeBytes) return;
  throw new StartError(
    `DATA_DIR=${dataDir} is on a disk with ${formatBytes(free)} free, a start needs ${formatBytes(minFreeBytes)}; ` +
      'free some space or set DATA_DIR to a directory on another disk',
  );
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'is not writable',
  EPERM: 'is not writable',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is on a full disk',
  ENOTDIR: 'is not a directory',
  EEXIST: 'is not a directory',
  ENOENT: 'cannot be created',
};

async function explain(dataDir: string, error: NodeJS.ErrnoException): Promise<StartError> {
  const reason = REASONS[error.code ?? ''] ?? `cannot be used (${error.message})`;
  const owner = (await stat(dataDir).catch(() => undefined))?.uid;
  const own = process.getuid?.();
  const who =
    owner === undefined || owner === own
      ? ''
      : ` (its owner is user id ${owner}, this process runs as ${own})`;
  const advice = reason === REASONS.EACCES ? 'make it writable or ' : '';
  return new StartError(`DATA_DIR=${dataDir} ${reason}${who}; ${advice}set DATA_DIR to another directory`, {
    cause: error,
  });
}
