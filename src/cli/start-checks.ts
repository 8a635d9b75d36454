import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { checkPorts, type ListenOptions } from '../http/listen.ts';
import { StartError } from '../lib/errors.ts';
import { chainFolder, checkFolderIsFree } from '../localnet/chain/chain-folder.ts';
import { formatBytes } from './format.ts';

interface StartingParts {
  readonly http?: boolean;
  readonly metrics?: boolean;
  readonly localChain?: boolean;
}

/**
 * Checks what a start needs before it begins its long work: the data directory, the local chain in it, and the ports.
 * Throws a StartError that names the setting, its value and what to do.
 */
export async function checkStart(settings: Settings, parts: StartingParts): Promise<void> {
  const { dataDir, databaseUrl } = settings;
  const { localChain = false } = parts;
  const network = localChain ? 'localnet' : settings.network;
  await openDataDir({ dataDir, network, isNeeded: localChain || databaseUrl === undefined });
  if (localChain) checkFolderIsFree(chainFolder(dataDir));
  await checkPorts(portsOf(settings, parts));
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
  /** Whether the process cannot do without it; others keep copies there if they can. */
  readonly isNeeded: boolean;
  /** Free space that a new directory needs. */
  readonly minFreeBytes?: number;
}

/**
 * Creates the data directory if it is missing, checks that it can be used, and writes down its network: data of two
 * networks must not meet in one database.
 */
export async function openDataDir(options: DataDirOptions): Promise<void> {
  const { dataDir, network, isNeeded, minFreeBytes = MIN_FREE_BYTES } = options;
  const mark = join(dataDir, 'network');
  try {
    const kept = await readMark(mark);
    if (kept !== undefined && kept !== network) throw otherNetwork(dataDir, kept, network);
    await makeDirectory(dataDir);
    if (kept === undefined && isNeeded) await checkSpace(dataDir, minFreeBytes);
    // Written at every start, to see whether it can be.
    const probe = join(dataDir, `write-test-${randomBytes(6).toString('hex')}`);
    await writeFile(probe, '');
    await rm(probe);
    if (kept === undefined) await writeFile(mark, `${network}\n`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (isNeeded) throw await explain(dataDir, error as NodeJS.ErrnoException);
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

function otherNetwork(dataDir: string, kept: string, network: string): StartError {
  return new StartError(
    `DATA_DIR=${dataDir} holds the data of ${kept}, but NETWORK is ${network}; ` +
      `set DATA_DIR to another directory, for example ${dataDir}-${network}`,
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
