import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive, ownProcessName } from '../../lib/process-identity.ts';
import { readIfThere } from '../../lib/read-if-there.ts';
import { StartError } from '../../lib/start-error.ts';

const TRIES = 5;

/** Takes a folder for this process, or throws StartError if another one that still runs has it. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  const signed = `${path}.${randomBytes(6).toString('hex')}`;
  // Linked and not written in place: the lock has its owner's name from the first moment.
  writeFileSync(signed, ownProcessName());
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      if (link(signed, path)) return () => rmSync(path, { force: true });
      const owner = readIfThere(path);
      if (owner === undefined) continue;
      if (isProcessAlive(owner)) break;
      removeStale(path, owner);
    }
  } finally {
    rmSync(signed, { force: true });
  }
  throw new StartError(`The local chain in ${folder} is in use by process ${ownerOf(folder) ?? 'unknown'}`);
}

/** The number of the process that has a folder; undefined if none that runs has it. */
export function ownerOf(folder: string): number | undefined {
  const owner = readIfThere(join(folder, 'lock'));
  return owner !== undefined && isProcessAlive(owner) ? Number(owner.split(' ')[0]) : undefined;
}

/** Removes the lock of a process that is gone, but puts it back if it has a new owner by now. */
function removeStale(path: string, owner: string): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readIfThere(aside) !== owner) link(aside, path);
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
