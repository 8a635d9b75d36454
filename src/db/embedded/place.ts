import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Log } from '../../lib/log.ts';
import { StartError } from '../../lib/start-error.ts';
import { type Account, chooseAccount } from './account.ts';
import type { Binaries } from './binaries.ts';
import { fallbackRoots, openFallbackRoot } from './fallback-root.ts';
import { canEnter } from './run-as.ts';
import { usableBinaries } from './usable-binaries.ts';

/** Where one embedded PostgreSQL lives and as whom. */
export interface Place {
  /** Holds the data directory, the log, the socket and the list of users. */
  readonly location: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  readonly logFile: string;
  readonly account: Account | undefined;
  readonly binaries: Binaries;
}

/**
 * Decides where the data is kept and from where PostgreSQL runs. An ordinary user has both in `dataDir` as
 * himself. Root has to run PostgreSQL under another user, which may not be able to reach `dataDir` or the
 * checkout.
 */
export async function choosePlace({
  dataDir,
  binaries,
  fallbackRoot,
  log,
}: {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly fallbackRoot: string | undefined;
  readonly log: Log;
}): Promise<Place> {
  const home = makeHome(dataDir);
  const roots = fallbackRoots(fallbackRoot);
  const name = `data-${createHash('sha256').update(dirname(home)).digest('hex').slice(0, 12)}`;
  const existing = [home, ...roots.map((root) => join(root, name, 'postgres'))].find((place) =>
    existsSync(join(place, 'cluster', 'PG_VERSION')),
  );
  const account = chooseAccount(existing && join(existing, 'cluster'));
  const location = account === undefined ? home : reachable({ home, existing, account, roots, name, log });
  const usable = await usableBinaries({
    binaries,
    account,
    copyRoot: async () => (account === undefined ? dirname(home) : openFallbackRoot(roots)),
    log,
  });
  return {
    location,
    cluster: join(location, 'cluster'),
    logFile: join(location, 'postgres.log'),
    account,
    binaries: usable,
  };
}

interface Candidates {
  readonly home: string;
  /**
   * Where there is data already; it stays there, or a start under other circumstances would seem to lose it.
   */
  readonly existing: string | undefined;
  readonly account: Account;
  readonly roots: readonly string[];
  readonly name: string;
  readonly log: Log;
}

function reachable({ home, existing, account, roots, name, log }: Candidates): string {
  if (existing === undefined || existing === home) {
    if (canEnter(account, home)) return home;
    if (existing === home) {
      throw new StartError(
        `The data in ${home} belongs to user ${account.name}, who cannot enter that directory any more; ` +
          'open the directories above it (chmod o+x) or set DATA_DIR',
      );
    }
  }
  const location = existing ?? join(openFallbackRoot(roots), name, 'postgres');
  makeOpen(location);
  if (!canEnter(account, location)) {
    throw new StartError(
      `PostgreSQL does not run as root, and user ${account.name} can enter neither ${home} nor ${location}; ` +
        'set DATA_DIR to a directory that is open to that user, or set DATABASE_URL',
    );
  }
  const why = `PostgreSQL runs as user ${account.name}, who cannot enter ${home}; its data is in ${location}`;
  log.info({ dataDir: dirname(home), location, user: account.name }, why);
  return location;
}

function makeHome(dataDir: string): string {
  const home = join(resolve(dataDir), 'postgres');
  makeOpen(home);
  return realpathSync(home);
}

/**
 * Makes a directory; what is made on the way can be passed through by others, whatever the umask, when we are
 * root.
 */
function makeOpen(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined || process.getuid?.() !== 0) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o711);
}
