import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../../lib/errors.ts';
import { readFileIfExists } from '../../lib/files.ts';
import { isProcessAlive, ownProcessName } from '../../lib/process-identity.ts';

/** The folder of the local chain in the folder of all data. */
export function chainFolder(dataDir: string): string {
  return join(dataDir, 'localnet');
}

/** What lies where in the folder of a local chain. */
export function chainPaths(folder: string) {
  return {
    /** All that happened, one record after another. */
    chain: join(folder, 'chain'),
    /** Whole states, to start faster. They can be removed. */
    states: join(folder, 'states'),
    snapshots: join(folder, 'snapshots'),
    /** How lite clients find the network. */
    globalConfig: join(folder, 'global.config.json'),
    /** What the demo put into the chain. */
    demo: join(folder, 'demo.json'),
    /** The key by which lite clients know the server. */
    liteKey: join(folder, 'lite-server-key'),
    /** Where a running chain takes commands. */
    control: join(folder, 'control.json'),
  } as const;
}

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
      const owner = readFileIfExists(path);
      if (owner === undefined) continue;
      if (isProcessAlive(owner)) break;
      removeStale(path, owner);
    }
  } finally {
    rmSync(signed, { force: true });
  }
  throw new StartError(`The local chain in ${folder} is in use by process ${lockOwner(folder) ?? 'unknown'}`);
}

/** The number of the process that has a folder; undefined if none that runs has it. */
export function lockOwner(folder: string): number | undefined {
  const owner = readFileIfExists(join(folder, 'lock'));
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

/** Writes a file so that after a crash it is there whole, or as it was before. Its owner alone may read it unless told otherwise. */
export async function writeDurably(path: string, content: Uint8Array | string, mode = 0o600): Promise<void> {
  await replaceDurably(path, async (draft) => {
    const file = await open(draft, 'w', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}

/** Lets a file be made under another name, on the disk, and then puts it in its place at once. */
export async function replaceDurably(path: string, make: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.draft`;
  try {
    await make(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes names that were added to a folder outlive a crash of the machine. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
