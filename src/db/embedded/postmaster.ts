import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { processIdentity } from '../../lib/process-identity.ts';
import { StartError } from '../../lib/start-error.ts';
import type { Place } from './place.ts';
import { type PostmasterFile, readPostmasterFile } from './postmaster-file.ts';
import { isPostgresOf, stillRuns } from './processes.ts';
import { besideData, socketPath } from './socket.ts';

const POLL_MS = 20;
/**
 * How long we watch what should pass by itself: a shutdown that waits for its clients, a socket on its way
 * out.
 */
const PATIENCE_MS = 2_000;
const FAST_STOP_MS = 8_000;
const IMMEDIATE_STOP_MS = 5_000;
/** Replaying a long write-ahead log after a crash takes its time; this long we wait for it. */
export const START_TIMEOUT_MS = 300_000;

/** A running PostgreSQL: its first process, and where it listens. */
export interface Postmaster {
  readonly pid: number;
  readonly identity: string;
  readonly socketDirectory: string;
}

/**
 * The PostgreSQL that runs on the data directory, as soon as it takes connections; undefined when none does.
 * One that is shutting down is waited for.
 */
export async function findPostmaster(
  place: Place,
  log: Log,
  signal?: AbortSignal,
): Promise<Postmaster | undefined> {
  const since = Date.now();
  let stoppingSince: number | undefined;
  for (;;) {
    const running = runningNow(place);
    const waitedMs = Date.now() - since;
    if (running === undefined) {
      if (!(await answers(socketPath(besideData(place.location))))) return undefined;
      if (waitedMs > PATIENCE_MS) throw invisible(place);
    } else if (running.file.state === 'ready') {
      return running.postmaster;
    } else if (running.file.state === 'stopping') {
      stoppingSince ??= Date.now();
      if (Date.now() - stoppingSince > PATIENCE_MS) await terminate(place, log);
    } else if (waitedMs > START_TIMEOUT_MS) {
      throw new StartError(
        `The PostgreSQL in ${place.location} (process ${running.postmaster.pid}) has been starting for too long; ` +
          `see ${place.logFile}`,
      );
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

/**
 * Two containers that share a volume do not see each other's processes, and a second PostgreSQL would ruin
 * the data. What gives the first away is that its socket answers.
 */
function invisible({ location }: Place): StartError {
  return new StartError(
    `A PostgreSQL that this process cannot see (another container?) is using ${location}; ` +
      'give every container its own DATA_DIR or set DATABASE_URL',
  );
}

/** What postmaster.pid says, when the process that it names is a PostgreSQL of this data directory. */
export function runningNow({ cluster }: Place): { file: PostmasterFile; postmaster: Postmaster } | undefined {
  const file = readPostmasterFile(cluster);
  if (file === undefined || !isPostgresOf(file.pid, cluster)) return undefined;
  const identity = processIdentity(file.pid);
  if (identity === undefined) return undefined;
  return { file, postmaster: { pid: file.pid, identity, socketDirectory: file.socketDirectory } };
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/**
 * Ends the PostgreSQL of a place and waits for it: disconnects its clients, and drops everything if that
 * takes too long. `known` is ended when the data directory cannot tell, because somebody removed it.
 */
export async function terminate(place: Place, log: Log, known?: Postmaster): Promise<void> {
  const postmaster = runningNow(place)?.postmaster ?? known;
  if (postmaster === undefined || processIdentity(postmaster.pid) !== postmaster.identity) return;
  if (await endWith(postmaster, 'SIGINT', FAST_STOP_MS)) return;
  log.warn(
    { pid: postmaster.pid, location: place.location },
    'PostgreSQL does not stop; it will recover at the next start',
  );
  if (await endWith(postmaster, 'SIGQUIT', IMMEDIATE_STOP_MS)) return;
  log.error(
    { pid: postmaster.pid, location: place.location },
    'PostgreSQL cannot be stopped and is left running',
  );
}

async function endWith(postmaster: Postmaster, how: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  const giveUpAt = Date.now() + timeoutMs;
  if (stillRuns(postmaster)) signalIfThere(postmaster.pid, how);
  while (stillRuns(postmaster)) {
    if (Date.now() > giveUpAt) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
