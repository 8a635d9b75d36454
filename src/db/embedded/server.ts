import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../lib/errors.ts';
import { readFileIfExists } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import { processIdentity, runPs } from '../../lib/process-identity.ts';
import { troubleOf } from '../errors.ts';
import {
  chooseInstallation,
  DATABASE_USER,
  type EmbeddedPostgresOptions,
  type Installation,
  prepareCluster,
} from './data-directory.ts';
import { countUsers, registerUser, withLock } from './lock.ts';
import { explain, spawnOptions } from './programs.ts';

/** A PostgreSQL in our data directory that runs as long as a tongate process uses it. */
export interface EmbeddedPostgres {
  readonly url: string;
  /** The directory with the data, the log and the socket. */
  readonly location: string;
  /** It was already running: started by another tongate, or left behind by one that was killed. */
  readonly adopted: boolean;
  /** Ends our use, and stops PostgreSQL if nobody else uses it. */
  stop(): Promise<void>;
}

/** The first process of a running PostgreSQL. */
interface Postmaster {
  readonly pid: number;
  readonly identity: string;
  readonly socketDirectory: string;
  /** `starting`, `ready` or `stopping`. */
  readonly status: string;
}

const CANNOT_START = 'PostgreSQL cannot start';
const DATABASE = 'tongate';
/** Names the socket file; nothing listens on TCP. */
const PORT = 5432;
/** Size of the path in `sockaddr_un`, without the terminating zero. */
const SOCKET_PATH_LIMIT_BYTES = process.platform === 'darwin' ? 103 : 107;
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

const POLL_MS = 20;
const CHECK_EVERY_MS = 500;
const MAX_RESTART_PAUSE_MS = 30_000;
/** Replaying a long write-ahead log after a crash may take minutes. */
const START_TIMEOUT_MS = 300_000;
const CONNECT_TIMEOUT_MS = 30_000;
/** For states that should pass by themselves: a shutdown that waits for clients, a socket whose server is exiting. */
const PATIENCE_MS = 2_000;
const OLD_CHILDREN_TIMEOUT_MS = 10_000;
const OLD_CHILDREN_RETRY_MS = 200;
const FAST_STOP_MS = 8_000;
const IMMEDIATE_STOP_MS = 5_000;
/** Longer than the longest work under the lock. */
const LOCK_TIMEOUT_MS = START_TIMEOUT_MS + 60_000;
const STOP_LOCK_TIMEOUT_MS = 30_000;

/** Starts PostgreSQL in the data directory, or joins the one that runs there, and keeps it up until `stop`. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await open(await chooseInstallation(options), options.log);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw explain(CANNOT_START, options.dataDir, (error as Error).message, error);
  }
}

async function open(installation: Installation, log: Log): Promise<EmbeddedPostgres> {
  const { location, logFile, account, binaries } = installation;
  const lock = join(location, 'lock');
  let unregister = () => {};

  let { postmaster, adopted } = await withLock(lock, { timeoutMs: LOCK_TIMEOUT_MS }, async () => {
    unregister = registerUser(location);
    try {
      await prepareCluster(installation, log);
      const up = await bringUp(installation, log);
      await ensureDatabase(installation, up.postmaster);
      return up;
    } catch (error) {
      unregister();
      if (countUsers(location) === 0) await terminate(installation, log);
      throw error;
    }
  });
  const details = { location, postmaster: postmaster.pid, user: account?.name, binaries: binaries.native };
  log.info(details, adopted ? 'Running PostgreSQL joined' : 'PostgreSQL started');

  const ending = new AbortController();
  const { signal } = ending;
  const supervision = supervise().catch(() => {});

  /** Restarts PostgreSQL whenever it has exited, with growing delays if it keeps exiting. */
  async function supervise(): Promise<void> {
    let pauseMs = CHECK_EVERY_MS;
    for (;;) {
      await sleep(pauseMs, undefined, { signal, ref: false });
      keepLogSmall(logFile);
      if (stillRuns(postmaster) && readPidFile(installation).status !== 'stopping') {
        pauseMs = Math.max(CHECK_EVERY_MS, pauseMs / 2);
        continue;
      }
      log.warn({ postmaster: postmaster.pid, location, logFile }, 'PostgreSQL exited, restarting');
      pauseMs = Math.min(4 * pauseMs, MAX_RESTART_PAUSE_MS);
      try {
        const restart = () => bringUp(installation, log, signal);
        ({ postmaster } = await withLock(lock, { timeoutMs: LOCK_TIMEOUT_MS, signal }, restart));
        log.info({ postmaster: postmaster.pid, location }, 'PostgreSQL restarted');
      } catch (error) {
        if (!signal.aborted) log.error({ err: error, location, logFile }, 'PostgreSQL restart failed');
      }
    }
  }

  async function close(): Promise<void> {
    ending.abort();
    await supervision;
    const stopUnlessUsed = async () => {
      unregister();
      const others = countUsers(location);
      if (others > 0) return log.info({ location, others }, 'PostgreSQL left running for its other users');
      await terminate(installation, log, postmaster);
      const socketDirectory = socketDirectoryOf(location);
      if (dirname(socketDirectory) !== location) fs.rmSync(socketDirectory, { recursive: true, force: true });
      log.info({ location }, 'PostgreSQL stopped');
    };
    await withLock(lock, { timeoutMs: STOP_LOCK_TIMEOUT_MS }, stopUnlessUsed).catch((error) => {
      // For example, its directory was removed; PostgreSQL is stopped anyway.
      log.warn({ err: error, location }, 'PostgreSQL lock unavailable, stopping without it');
      return stopUnlessUsed();
    });
  }

  let closed: Promise<void> | undefined;
  return {
    url: socketUrl(postmaster.socketDirectory, DATABASE),
    location,
    adopted,
    stop() {
      closed ??= close();
      return closed;
    },
  };
}

/**
 * Finds the PostgreSQL that runs on the cluster, or starts one, and waits until it accepts connections. Only while holding
 * the lock, so that of several processes one starts it and the others find it.
 */
async function bringUp(
  installation: Installation,
  log: Log,
  signal?: AbortSignal,
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const { location, logFile } = installation;
  const since = Date.now();
  let child: ChildProcess | undefined;
  let logSize = 0;
  try {
    for (;;) {
      const running = findPostmaster(installation);
      const waitedMs = Date.now() - since;
      if (running?.status === 'ready') return { postmaster: running, adopted: child === undefined };
      if (child !== undefined && (child.exitCode !== null || child.signalCode !== null)) {
        const output = fs.readFileSync(logFile).subarray(logSize).toString();
        // The children of a killed postmaster keep its shared memory for a moment.
        const mayPass =
          output.includes('pre-existing shared memory block') && waitedMs < OLD_CHILDREN_TIMEOUT_MS;
        if (!mayPass) throw explain(CANNOT_START, location, output);
        child = undefined;
        await sleep(OLD_CHILDREN_RETRY_MS, undefined, { signal });
      } else if (running === undefined && child === undefined) {
        // A second PostgreSQL would corrupt the data. Containers that share a volume do not see each other's processes,
        // but the socket of the first PostgreSQL accepts connections.
        if (!(await acceptsConnections(socketFile(socketDirectoryOf(location))))) {
          keepLogSmall(logFile);
          logSize = fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
          child = await spawnPostgres(installation);
        } else if (waitedMs > PATIENCE_MS) {
          throw new StartError(
            `A PostgreSQL that this process cannot see (another container?) is using ${location}; ` +
              'give every container its own DATA_DIR or set DATABASE_URL',
          );
        }
      } else if (waitedMs > START_TIMEOUT_MS) {
        throw new StartError(`PostgreSQL in ${location} does not become ready; see ${logFile}`);
      } else if (running?.status === 'stopping' && waitedMs > PATIENCE_MS) {
        // A shutdown requested by somebody else may be waiting for our own connections.
        await terminate(installation, log);
      }
      await sleep(POLL_MS, undefined, { signal });
    }
  } catch (error) {
    child?.on('error', () => {}).kill('SIGINT');
    throw error;
  }
}

async function spawnPostgres(installation: Installation): Promise<ChildProcess> {
  const { cluster, binaries, account, logFile } = installation;
  const args = ['-D', cluster, '-k', openSocketDirectory(installation), '-p', String(PORT)];
  args.push('-c', 'listen_addresses=', '-c', 'unix_socket_permissions=0700', '-c', 'logging_collector=off');
  const options = spawnOptions(account);
  // PostgreSQL does not start while postmaster.pid names a live process, even if another program got the pid of a dead
  // PostgreSQL. It makes an exception for its grandparent; unlike removing the file, this keeps its check for
  // surviving children. A crash may leave the file empty.
  const { pid: stalePid } = readPidFile(installation);
  if (Number.isNaN(stalePid)) fs.rmSync(join(cluster, 'postmaster.pid'), { force: true });
  else options.env.PG_GRANDPARENT_PID = String(stalePid);

  const output = fs.openSync(logFile, 'a', 0o600);
  try {
    // Detached: Ctrl-C in our terminal must not reach it before we are done with it.
    const stdio: StdioOptions = ['ignore', output, output];
    const program = join(binaries.native, 'bin', 'postgres');
    const child = spawn(program, args, { ...options, detached: true, stdio });
    // It survives if we are killed, and does not keep us alive.
    child.unref();
    await once(child, 'spawn');
    return child;
  } finally {
    fs.closeSync(output);
  }
}

/** Creates our database if it is missing, which also shows that PostgreSQL responds. */
async function ensureDatabase({ location }: Installation, { socketDirectory }: Postmaster): Promise<void> {
  const giveUpAt = Date.now() + CONNECT_TIMEOUT_MS;
  for (;;) {
    const connectionString = socketUrl(socketDirectory, 'postgres');
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`create database ${DATABASE}`);
      return;
    } catch (cause) {
      // An adopted server may be recovering from the crash of a backend.
      if (troubleOf(cause) !== 'down' || Date.now() > giveUpAt) {
        throw explain('PostgreSQL does not respond', location, String(cause), cause);
      }
    } finally {
      await client.end().catch(() => {});
    }
    await sleep(POLL_MS);
  }
}

/** Parses postmaster.pid; its lines are listed in PostgreSQL's src/include/utils/pidfile.h. */
function readPidFile({ cluster }: Installation) {
  const lines = (readFileIfExists(join(cluster, 'postmaster.pid')) ?? '').split('\n');
  const [pid = '', , , , socketDirectory = '', , , status = ''] = lines;
  return {
    pid: Number.parseInt(pid, 10),
    socketDirectory,
    status: status.trim().replace('standby', 'ready'),
  };
}

function findPostmaster(installation: Installation): Postmaster | undefined {
  const file = readPidFile(installation);
  const identity = processIdentity(file.pid);
  if (identity === undefined) return undefined;
  // The pid may belong to another program by now.
  const command =
    process.platform === 'linux'
      ? readFileIfExists(`/proc/${file.pid}/cmdline`)?.replaceAll('\0', ' ')
      : runPs(file.pid, 'command');
  const isOurs = command?.includes('postgres') && command.includes(`-D ${installation.cluster} `);
  return isOurs ? { ...file, identity } : undefined;
}

/** Whether the pid still belongs to the same process. */
function stillRuns({ pid, identity }: Postmaster): boolean {
  return processIdentity(pid) === identity;
}

/**
 * Stops PostgreSQL and waits for its exit: disconnects its clients, and aborts it if that takes too long. `known` is used
 * if the cluster directory was removed and no longer names the process.
 */
async function terminate(installation: Installation, log: Log, known?: Postmaster): Promise<void> {
  const postmaster = findPostmaster(installation) ?? known;
  if (postmaster === undefined || (await endWith(postmaster, 'SIGINT', FAST_STOP_MS))) return;
  const details = { pid: postmaster.pid, location: installation.location };
  log.warn(details, 'PostgreSQL shutdown timed out, aborting; the next start will recover');
  if (await endWith(postmaster, 'SIGQUIT', IMMEDIATE_STOP_MS)) return;
  log.error(details, 'PostgreSQL shutdown failed, process left running');
}

async function endWith(postmaster: Postmaster, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  const giveUpAt = Date.now() + timeoutMs;
  try {
    if (stillRuns(postmaster)) process.kill(postmaster.pid, signal);
  } catch {
    // It has exited, or we may not signal it; the loop below finds out.
  }
  while (stillRuns(postmaster) && Date.now() < giveUpAt) await sleep(POLL_MS);
  return !stillRuns(postmaster);
}

/** Next to the data, or in the temporary directory if that path is too long for a socket. */
function socketDirectoryOf(location: string): string {
  const beside = join(location, 'socket');
  if (Buffer.byteLength(socketFile(beside)) <= SOCKET_PATH_LIMIT_BYTES) return beside;
  return join(tmpdir(), `tongate-${createHash('sha256').update(location).digest('hex').slice(0, 16)}`);
}

function socketFile(directory: string): string {
  return join(directory, `.s.PGSQL.${PORT}`);
}

/** Creates the socket directory. There is no other authentication: only PostgreSQL's user and root can enter it. */
function openSocketDirectory({ location, account }: Installation): string {
  const directory = socketDirectoryOf(location);
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = fs.lstatSync(directory);
  if (!found.isDirectory() || ![account?.uid, process.getuid?.()].includes(found.uid)) {
    throw new StartError(
      `The socket directory ${directory} belongs to somebody else (uid ${found.uid}); ` +
        'remove it or use a shorter DATA_DIR',
    );
  }
  if (account !== undefined) fs.chownSync(directory, account.uid, account.gid);
  fs.chmodSync(directory, 0o700);
  // Only this cluster uses the directory, so its content is left over; a lock may name a reused pid.
  for (const suffix of ['', '.lock']) fs.rmSync(`${socketFile(directory)}${suffix}`, { force: true });
  return directory;
}

async function acceptsConnections(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A URL for pg and libpq; `localhost` only makes it a valid URL, the `host` parameter wins. */
function socketUrl(directory: string, database: string): string {
  const parameters = new URLSearchParams({ host: directory, port: String(PORT), sslmode: 'disable' });
  return `postgresql://${DATABASE_USER}@localhost/${database}?${parameters}`;
}

/**
 * Keeps PostgreSQL's log within twice the limit. PostgreSQL appends to an open file, so the file is copied and truncated,
 * not renamed.
 */
function keepLogSmall(logFile: string): void {
  try {
    if (fs.statSync(logFile).size <= LOG_LIMIT_BYTES) return;
    fs.copyFileSync(logFile, `${logFile}.1`);
    fs.truncateSync(logFile);
  } catch {
    // No log yet, or no space for the copy: not worth an error.
  }
}
