import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../lib/start-error.ts';
import { explain } from './explain.ts';
import { keepLogSmall } from './log-file.ts';
import type { Place } from './place.ts';
import { type Postmaster, runningNow, START_TIMEOUT_MS } from './postmaster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { surroundings } from './run-as.ts';
import { openSocketDirectory, PORT, socketPath } from './socket.ts';

const POLL_MS = 20;
const WHAT = 'PostgreSQL cannot start';

/**
 * After a killed postmaster its children may hold the shared memory for a moment; PostgreSQL refuses to start
 * until then.
 */
const OLD_CHILDREN_LIVE = /pre-existing shared memory block/;
const OLD_CHILDREN_TIMEOUT_MS = 10_000;

/** Starts PostgreSQL on a data directory on which none runs, and waits until it takes connections. */
export async function launch(place: Place, signal?: AbortSignal): Promise<Postmaster> {
  const giveUpAt = Date.now() + OLD_CHILDREN_TIMEOUT_MS;
  for (;;) {
    const attempt = await launchOnce(place, signal);
    if ('postmaster' in attempt) return attempt.postmaster;
    if (!OLD_CHILDREN_LIVE.test(attempt.output) || Date.now() > giveUpAt) {
      throw explain({ what: WHAT, location: place.location, output: attempt.output });
    }
    await sleep(200, undefined, { signal });
  }
}

async function launchOnce(
  place: Place,
  signal: AbortSignal | undefined,
): Promise<{ postmaster: Postmaster } | { output: string }> {
  keepLogSmall(place.logFile);
  const log = openSync(place.logFile, 'a+', 0o600);
  try {
    const from = fstatSync(log).size;
    const end = await waitFor(start(place, log), place, signal);
    return end ?? { output: readFrom(log, from) };
  } finally {
    closeSync(log);
  }
}

function start(place: Place, log: number): ChildProcess {
  const { cluster, binaries, account } = place;
  const socketDirectory = openSocketDirectory(place);
  // The directory is this cluster's alone, so what is in it is left over; a lock in it may name a number that
  // lives again.
  for (const suffix of ['', '.lock']) rmSync(`${socketPath(socketDirectory)}${suffix}`, { force: true });
  const settings = { listen_addresses: '', unix_socket_permissions: '0700', logging_collector: 'off' };
  const child = spawn(
    join(binaries.native, 'bin', 'postgres'),
    [
      ...['-D', cluster, '-k', socketDirectory, '-p', String(PORT)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...surroundings(account),
      env: { ...surroundings(account).env, ...ignoringStalePid(cluster) },
      // A session of its own: a Ctrl-C at our terminal must not reach it before we have finished with it.
      detached: true,
      stdio: ['ignore', log, log],
    },
  );
  // It outlives us if we are killed, and does not keep us alive.
  child.unref();
  return child;
}

/**
 * PostgreSQL does not start when postmaster.pid names a live process, even if that is another program which
 * got the number of a dead PostgreSQL. It makes an exception for its grandparent (the variable is pg_ctl's
 * way of telling), and unlike removing the file that leaves its check for surviving children in force.
 */
function ignoringStalePid(cluster: string): Record<string, string> {
  const file = readPostmasterFile(cluster);
  if (file === undefined) return {};
  if (Number.isInteger(file.pid)) return { PG_GRANDPARENT_PID: String(file.pid) };
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  return {};
}

/** The postmaster once it is ready; undefined when it ended before that. */
async function waitFor(
  child: ChildProcess,
  place: Place,
  signal: AbortSignal | undefined,
): Promise<{ postmaster: Postmaster } | undefined> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  let failed: Error | undefined;
  child.once('error', (error) => {
    failed = error;
  });
  try {
    for (;;) {
      await sleep(POLL_MS, undefined, { signal });
      if (failed !== undefined) {
        throw explain({ what: WHAT, location: place.location, output: failed.message, cause: failed });
      }
      if (child.exitCode !== null || child.signalCode !== null) return undefined;
      const running = runningNow(place);
      if (running?.postmaster.pid === child.pid && running?.file.state === 'ready') return running;
      if (Date.now() > giveUpAt) {
        throw new StartError(`${WHAT} in ${place.location}: it does not become ready; see ${place.logFile}`);
      }
    }
  } catch (error) {
    child.kill('SIGINT');
    throw error;
  }
}

function readFrom(file: number, from: number): string {
  const text = Buffer.alloc(fstatSync(file).size - from);
  readSync(file, text, 0, text.length, from);
  return text.toString('utf8');
}
