import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../lib/errors.ts';
import { isProcessAlive, ownProcessName } from '../../lib/process-identity.ts';

// Locks and user entries are symbolic links whose target is the name of their process. Unlike a file, a link is created
// together with its content, so nobody finds one without an owner, and it needs no space on a full disk.

const POLL_MS = 25;

/** Runs work while no other process holds the lock; the lock of a dead process is taken over. */
export async function withLock<T>(
  path: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const giveUpAt = Date.now() + timeoutMs;
  while (!take(path)) {
    if (Date.now() > giveUpAt) {
      const pid = ownerOf(path)?.split(' ')[0];
      throw new StartError(
        `Process ${pid} has held ${path} for too long; end it, or remove that file if it is gone`,
      );
    }
    await sleep(POLL_MS, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    remove(path);
  }
}

function take(path: string): boolean {
  try {
    symlinkSync(ownProcessName(), path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = ownerOf(path);
  if (owner === undefined || isProcessAlive(owner)) return false;
  // Removed under a lock of its own: otherwise the second of two removers could remove the lock that the first has
  // taken in the meantime.
  const breaker = `${path}.break`;
  if (take(breaker)) {
    if (ownerOf(path) === owner) remove(path);
    remove(breaker);
  }
  return false;
}

/** The process that owns a lock: undefined without a lock; empty, which is no process name, for anything else at that path. */
function ownerOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '';
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The directory is gone, or the link cannot be removed and goes stale when this process ends.
  }
}

/** Records that this process uses the PostgreSQL of a location; returns a function that removes the entry. */
export function registerUser(location: string): () => void {
  const directory = join(location, 'users');
  mkdirSync(directory, { recursive: true });
  // One process may use the same PostgreSQL more than once.
  const entry = join(directory, `${process.pid}-${randomBytes(4).toString('hex')}`);
  symlinkSync(ownProcessName(), entry);
  return () => remove(entry);
}

/** The number of live users; entries of dead processes are removed. */
export function countUsers(location: string): number {
  const directory = join(location, 'users');
  if (!existsSync(directory)) return 0;
  const entries = readdirSync(directory).map((name) => join(directory, name));
  const dead = entries.filter((entry) => !isProcessAlive(ownerOf(entry) ?? ''));
  for (const entry of dead) remove(entry);
  return entries.length - dead.length;
}
