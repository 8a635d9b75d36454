import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../lib/errors.ts';
import { readFileIfExists } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import {
  type Account,
  type Binaries,
  copyBinaries,
  explain,
  findBinaries,
  linkLibraries,
  spawnOptions,
  whyNotRun,
} from './programs.ts';

/** The directories, the binaries and the system user of one embedded PostgreSQL. */
export interface Installation {
  /** Holds the cluster, the log, the socket, the lock and the list of users. */
  readonly location: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  readonly logFile: string;
  /** The user to run as; undefined for the user of this process. */
  readonly account: Account | undefined;
  readonly binaries: Binaries;
}

/** Options of `startEmbeddedPostgres`. */
export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** Default: the binaries that npm installed for this machine. */
  readonly binaries?: Binaries;
  /** Where root puts what the PostgreSQL user could not reach elsewhere; default /var/lib/tongate. */
  readonly fallbackRoot?: string;
}

/** The superuser that initdb creates. */
export const DATABASE_USER = 'tongate';

/** Written to postgresql.conf once; the operator may change them. Durability stays at PostgreSQL's defaults. */
const INITIAL_SETTINGS = {
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Decides where the data is stored and where PostgreSQL runs from. For an ordinary user both are in `dataDir`. Root has
 * to run PostgreSQL as another user, who may not be able to reach `dataDir` or the checkout.
 */
export async function chooseInstallation({
  dataDir,
  log,
  binaries = findBinaries(),
  fallbackRoot = '/var/lib/tongate',
}: EmbeddedPostgresOptions): Promise<Installation> {
  makeReachable(join(resolve(dataDir), 'postgres'));
  const home = fs.realpathSync(join(resolve(dataDir), 'postgres'));
  const roots = [fallbackRoot, join(tmpdir(), 'tongate')];
  const name = `data-${createHash('sha256').update(dirname(home)).digest('hex').slice(0, 12)}`;
  // Existing data stays where it is, or a start under other circumstances would seem to lose it.
  const existing = [home, ...roots.map((root) => join(root, name, 'postgres'))].find((location) =>
    fs.existsSync(join(location, 'cluster', 'PG_VERSION')),
  );
  const account = chooseAccount(existing);
  let location = home;
  if (account !== undefined && (existing !== undefined || !canEnter(account, home))) {
    location = existing ?? join(openFallbackRoot(roots), name, 'postgres');
    makeReachable(location);
    if (!canEnter(account, location)) {
      throw new StartError(
        `PostgreSQL has to run as user ${account.name}, who cannot enter ${location}; open the directories ` +
          'above it (chmod o+x), set DATA_DIR to a directory open to that user, or set DATABASE_URL',
      );
    }
  }
  const user = account?.name;
  if (location !== home) log.info({ dataDir, location, user }, 'PostgreSQL data kept outside DATA_DIR');

  let usable = binaries;
  linkLibraries(binaries);
  const reason = whyNotRunnable(binaries, account);
  if (reason !== undefined) {
    usable = await copyBinaries(binaries, account === undefined ? dirname(home) : openFallbackRoot(roots));
    const details = { from: binaries.native, to: usable.native, user, reason };
    log.info(details, 'PostgreSQL binaries copied, the installed ones do not run');
    const stillNot = whyNotRunnable(usable, account);
    if (stillNot !== undefined) {
      throw new StartError(
        `The PostgreSQL in ${usable.native} does not run: ${stillNot}; reinstall with npm ci or set DATABASE_URL`,
      );
    }
  }
  return {
    location,
    cluster: join(location, 'cluster'),
    logFile: join(location, 'postgres.log'),
    account,
    binaries: usable,
  };
}

/**
 * The user that runs PostgreSQL, which refuses to run as root: undefined for an ordinary user, who runs it directly; for
 * root, the owner of the existing data, else the user `postgres`, else `nobody`.
 */
function chooseAccount(existing: string | undefined): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = (readFileIfExists('/etc/passwd') ?? '').split('\n').map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
  if (existing !== undefined) {
    const { uid, gid } = fs.statSync(join(existing, 'cluster'));
    const name = accounts.find((account) => account.uid === uid)?.name ?? `uid ${uid}`;
    if (uid !== 0) return { name, uid, gid };
  }
  const named = (name: string) => accounts.find((account) => account.name === name && account.uid > 0);
  return named('postgres') ?? named('nobody') ?? { name: 'nobody', uid: 65534, gid: 65534 };
}

/** Tested by running a program, since file modes alone do not tell. */
function canEnter(account: Account, directory: string): boolean {
  return whyNotRun(account, '/bin/sh', ['-c', 'cd -- "$0"', directory]) === undefined;
}

function whyNotRunnable({ native }: Binaries, account: Account | undefined): string | undefined {
  return whyNotRun(account, join(native, 'bin', 'postgres'), ['--version']);
}

/** Creates a directory; other users can pass through the parents that root creates, whatever the umask. */
function makeReachable(path: string): void {
  const first = fs.mkdirSync(path, { recursive: true });
  if (first === undefined || process.getuid?.() !== 0) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) fs.chmodSync(made, 0o711);
}

/** The first root directory that is writable and belongs to us; created if missing. */
function openFallbackRoot(roots: readonly string[]): string {
  const usable = roots.find((root) => {
    try {
      if (fs.mkdirSync(root, { recursive: true }) !== undefined) fs.chmodSync(root, 0o755);
      fs.accessSync(root, fs.constants.W_OK);
      // Programs run from here, and anybody could have created /tmp/tongate.
      const { uid, mode } = fs.statSync(root);
      return uid === process.getuid?.() && (mode & 0o022) === 0;
    } catch {
      return false;
    }
  });
  if (usable !== undefined) return usable;
  throw new StartError(
    'PostgreSQL does not run as root and needs a directory that its user can reach, but none of ' +
      `${roots.join(', ')} is writable and ours alone; start tongate as an ordinary user or set DATABASE_URL`,
  );
}

/**
 * Creates the cluster if there is none, else checks it; only while holding the lock. It is created under another name and
 * renamed when complete, so a start that was killed halfway leaves nothing that looks like data.
 */
export async function prepareCluster(installation: Installation, log: Log): Promise<void> {
  const { cluster, location, account, binaries } = installation;
  const prefix = 'cluster.unfinished-';
  for (const name of fs.readdirSync(location).filter((entry) => entry.startsWith(prefix))) {
    // The initdb of a killed start may still be writing; a later start removes the rest.
    await fs.promises.rm(join(location, name), { recursive: true, force: true }).catch(() => {});
  }
  if (fs.existsSync(join(cluster, 'PG_VERSION'))) return checkCluster(installation);
  if (fs.existsSync(cluster) && fs.readdirSync(cluster).length > 0) {
    throw new StartError(`${cluster} holds files that are not PostgreSQL's; move them away or set DATA_DIR`);
  }
  // A new name each time, because that initdb may still write to the old one.
  const unfinished = fs.mkdtempSync(join(location, prefix));
  try {
    if (account !== undefined) fs.chownSync(unfinished, account.uid, account.gid);
    await initdb(installation, unfinished);
    fs.renameSync(unfinished, cluster);
    // Makes the rename itself durable; initdb has synced everything else.
    const directory = fs.openSync(location, 'r');
    fs.fsyncSync(directory);
    fs.closeSync(directory);
  } catch (error) {
    await fs.promises.rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
  log.info({ location, user: account?.name, binaries: binaries.native }, 'PostgreSQL data directory created');
}

function checkCluster({ cluster, location, account, binaries }: Installation): void {
  const found = fs.readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const ours = binaries.version.split('.')[0];
  if (found !== ours) {
    throw new StartError(
      `The data in ${location} was initialised by PostgreSQL ${found}, this is PostgreSQL ${ours}; ` +
        `dump and restore it with PostgreSQL ${found}, set DATABASE_URL to a server of that version, or set DATA_DIR`,
    );
  }
  const { uid, mode } = fs.statSync(cluster);
  if (account !== undefined && uid !== account.uid) {
    // Copied here by root, for example from a backup.
    for (const entry of ['', ...fs.readdirSync(cluster, { recursive: true, encoding: 'utf8' })]) {
      fs.lchownSync(join(cluster, entry), account.uid, account.gid);
    }
  }
  if ((mode & 0o077) !== 0) fs.chmodSync(cluster, 0o700);
}

async function initdb({ binaries, account, location }: Installation, directory: string): Promise<void> {
  const args = ['-D', directory, '-U', DATABASE_USER, '--auth=trust', '--locale=C', '--encoding=UTF8'];
  for (const [name, value] of Object.entries(INITIAL_SETTINGS)) args.push('--set', `${name}=${value}`);
  try {
    await promisify(execFile)(join(binaries.native, 'bin', 'initdb'), args, spawnOptions(account));
  } catch (cause) {
    const { stdout = '', stderr = '', message } = cause as Error & { stdout?: string; stderr?: string };
    const output = `${stdout}${stderr}` || message;
    throw explain('PostgreSQL cannot create its data directory', location, output, cause);
  }
}
