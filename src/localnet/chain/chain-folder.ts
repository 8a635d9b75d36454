import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../../lib/errors.ts';
import { readFileIfExists } from '../../lib/files.ts';
import { isProcessAlive, ownProcessName } from '../../lib/process-identity.ts';

/** Directory of the local chain below DATA_DIR. */
export function chainFolder(dataDir: string): string {
  return join(dataDir, 'localnet');
}

/** Paths in the directory of a local chain. */
export function chainPaths(folder: string) {
  return {
    /** Append-only log of everything that happened. */
    chain: join(folder, 'chain'),
    /** State checkpoints for a faster start. Safe to delete. */
    states: join(folder, 'states'),
    snapshots: join(folder, 'snapshots'),
    /** Global config for lite clients. */
    globalConfig: join(folder, 'global.config.json'),
    demo: join(folder, 'demo.json'),
    liteKey: join(folder, 'lite-server-key'),
    /** Control port of a running chain, and the key that it takes. */
    control: join(folder, 'control.json'),
  } as const;
}

const TRIES = 5;

/** Locks a directory for this process; throws StartError if another running process has it. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  const signed = `${path}.${randomBytes(6).toString('hex')}`;
  // Linked instead of written in place, so the lock names its owner from the first moment.
  writeFileSync(signed, ownProcessName());
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      if (link(signed, path)) return () => rmSync(path, { force: true });
      const owner = readFileIfExists(path);
      if (owner === undefined) continue;
      if (isProcessAlive(owner)) break;
      removeStale(path, owner);
    }
  } finally {
    rmSync(signed, { force: true });
  }
  throw inUse(folder, lockOwner(folder));
}

/** Throws StartError if a running process has locked the directory, for a start that has other work to do first. */
export function checkFolderIsFree(folder: string): void {
  const owner = lockOwner(folder);
  if (owner !== undefined) throw inUse(folder, owner);
}

function inUse(folder: string, owner: number | undefined): StartError {
  return new StartError(
    `The local chain in ${folder} is in use by process ${owner ?? 'unknown'}; ` +
      'stop that process, or set DATA_DIR to another directory and PORT to another port',
  );
}

/** Pid of the process that holds the lock; undefined if no running process does. */
export function lockOwner(folder: string): number | undefined {
  const owner = readFileIfExists(join(folder, 'lock'));
  return owner !== undefined && isProcessAlive(owner) ? Number(owner.split(' ')[0]) : undefined;
}

/** Removes the lock of a dead process, and puts it back if it has a new owner by now. */
function removeStale(path: string, owner: string): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readFileIfExists(aside) !== owner) link(aside, path);
  rmSync(aside, { force: true });
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Writes a file atomically: after a crash it is either complete or unchanged. Readable by its owner only by default. */
export async function writeDurably(path: string, content: Uint8Array | string, mode = 0o600): Promise<void> {
  await replaceDurably(path, (draft) => writeFile(draft, content, { mode, flush: true }));
}

/** Lets a file be written under a temporary name, syncs it, then renames it into place. */
export async function replaceDurably(path: string, make: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.draft`;
  try {
    await make(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncPath(dirname(path));
}

/** Syncs a file, or a directory, so that names added to it survive a crash of the machine. */
export async function syncPath(path: string, flags = 'r'): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
