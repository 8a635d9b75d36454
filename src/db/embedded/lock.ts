import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive, ownProcessName } from '../../lib/process-identity.ts';
import { readIfThere } from '../../lib/read-if-there.ts';
import { StartError } from '../../lib/start-error.ts';

const POLL_MS = 25;
/** A lock file without an owner in it is being written; older than this, its writer died on the way. */
const UNSIGNED_IS_STALE_MS = 5_000;

/**
 * Runs work while no other process does so for the same location. The lock is a file with its owner's number
 * and identity, so that the lock of a killed process is recognised and taken over.
 */
export async function withLock<T>(
  location: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const path = join(location, 'lock');
  const giveUpAt = Date.now() + timeoutMs;
  while (!take(path)) {
    breakIfStale(path);
    if (Date.now() > giveUpAt) {
      throw new StartError(
        `Process ${readIfThere(path)?.split(' ')[0]} has been starting or stopping PostgreSQL in ${location} ` +
          `for too long; end it, or remove ${path} if it is gone`,
      );
    }
    await sleep(POLL_MS, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, ownProcessName(), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // The file is made before it is filled, so a full disk leaves an empty one.
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') rmSync(path, { force: true });
    throw error;
  }
}

/**
 * Of several processes that find a stale lock only the one that holds the lock's own lock may remove it;
 * otherwise the second would remove the lock that the first has just taken.
 */
function breakIfStale(path: string): void {
  if (!isStale(path)) return;
  const breaker = `${path}.break`;
  if (!take(breaker)) {
    if (isStale(breaker)) rmSync(breaker, { force: true });
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(breaker, { force: true });
  }
}

function isStale(path: string): boolean {
  const owner = readIfThere(path);
  if (owner === undefined) return false;
  if (owner.indexOf(' ') > 0) return !isProcessAlive(owner);
  try {
    return Date.now() - statSync(path).mtimeMs > UNSIGNED_IS_STALE_MS;
  } catch {
    return false;
  }
}
