import type { Log } from '../../lib/log.ts';
import { StartError } from '../../lib/start-error.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureDatabase } from './ensure-database.ts';
import { explain } from './explain.ts';
import { initialise } from './initialise.ts';
import { launch } from './launch.ts';
import { withLock } from './lock.ts';
import { choosePlace, type Place } from './place.ts';
import { findPostmaster, type Postmaster, START_TIMEOUT_MS, terminate } from './postmaster.ts';
import { removeSocketDirectory, socketUrl } from './socket.ts';
import { supervise } from './supervise.ts';
import { countUsers, registerUser } from './users.ts';

/** Longer than the longest work under the lock. */
const LOCK_TIMEOUT_MS = START_TIMEOUT_MS + 60_000;
const LOCK_TIMEOUT_AT_STOP_MS = 30_000;

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** Default: what npm installed for this machine. */
  readonly binaries?: Binaries;
  /** Where root keeps what PostgreSQL's user cannot reach elsewhere; default /var/lib/tongate. */
  readonly fallbackRoot?: string;
}

/** A PostgreSQL that runs in our data directory for as long as a tongate uses it. */
export interface EmbeddedPostgres {
  readonly url: string;
  /** The directory with the data, the log and the socket. */
  readonly location: string;
  /** It was running already: another tongate started it, or one that was killed left it. */
  readonly adopted: boolean;
  /** Ends our use, and PostgreSQL with it when nobody else uses it. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL in the data directory, or joins the one that runs there, and keeps it running until
 * `stop`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await startIn(options);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { message } = error as Error;
    throw explain({
      what: 'PostgreSQL cannot start',
      location: options.dataDir,
      output: message,
      cause: error,
    });
  }
}

async function startIn({
  dataDir,
  log,
  binaries,
  fallbackRoot,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const place = await choosePlace({ dataDir, binaries: binaries ?? findBinaries(), fallbackRoot, log });
  const { location } = place;

  const { postmaster, adopted, unregister } = await withLock(
    location,
    { timeoutMs: LOCK_TIMEOUT_MS },
    async () => {
      const forget = registerUser(location);
      try {
        await initialise(place, log);
        const up = await bringUp(place, log);
        await ensureDatabase(location, up.postmaster.socketDirectory);
        return { ...up, unregister: forget };
      } catch (error) {
        forget();
        if (countUsers(location) === 0) await terminate(place, log);
        throw error;
      }
    },
  );
  const details = {
    location,
    pid: postmaster.pid,
    user: place.account?.name,
    binaries: place.binaries.native,
  };
  log.info(details, adopted ? 'Joined the PostgreSQL that is running already' : 'Started PostgreSQL');

  const supervision = supervise({
    place,
    postmaster,
    log,
    revive: (signal) =>
      withLock(
        location,
        { timeoutMs: LOCK_TIMEOUT_MS, signal },
        async () => (await bringUp(place, log, signal)).postmaster,
      ),
  });

  async function leave(): Promise<void> {
    const last = await supervision.stop();
    const stopUnlessUsed = async () => {
      unregister();
      const others = countUsers(location);
      if (others > 0) {
        log.info({ location, others }, 'PostgreSQL stays up for the others that use it');
        return;
      }
      await terminate(place, log, last);
      removeSocketDirectory(place);
      log.info({ location }, 'Stopped PostgreSQL');
    };
    await withLock(location, { timeoutMs: LOCK_TIMEOUT_AT_STOP_MS }, stopUnlessUsed).catch((error) => {
      // A full disk or a removed directory has no room for a lock; PostgreSQL is stopped all the same.
      log.warn({ err: error, location }, 'Stopping PostgreSQL without the lock');
      return stopUnlessUsed();
    });
  }

  let left: Promise<void> | undefined;
  return {
    url: socketUrl(postmaster.socketDirectory),
    location,
    adopted,
    stop() {
      left ??= leave();
      return left;
    },
  };
}

/** Only under the lock, so that of several processes one starts PostgreSQL and the others find it. */
async function bringUp(
  place: Place,
  log: Log,
  signal?: AbortSignal,
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const running = await findPostmaster(place, log, signal);
  if (running !== undefined) return { postmaster: running, adopted: true };
  return { postmaster: await launch(place, signal), adopted: false };
}
