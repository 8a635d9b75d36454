import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../lib/start-error.ts';

const TRIES = 5;
/** Where `starttime` stands in /proc/<pid>/stat, counted behind the command name (proc(5): field 22). */
const START_TIME_FIELD = 19;

/** Takes a folder for this process, or throws StartError if another one that still runs has it. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  const own = `${process.pid} ${lifeOf(process.pid)}`;
  const signed = `${path}.${randomBytes(6).toString('hex')}`;
  // Linked and not written in place: the lock has its owner's name from the first moment.
  writeFileSync(signed, own);
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      if (link(signed, path)) return () => rmSync(path, { force: true });
      const owner = read(path);
      if (owner === undefined) continue;
      if (isAlive(owner)) break;
      removeStale(path, owner);
    }
  } finally {
    rmSync(signed, { force: true });
  }
  throw new StartError(`The local chain in ${folder} is in use by process ${ownerOf(folder) ?? 'unknown'}`);
}

/** The number of the process that has a folder; undefined if none that runs has it. */
export function ownerOf(folder: string): number | undefined {
  const owner = read(join(folder, 'lock'));
  return owner !== undefined && isAlive(owner) ? Number(owner.split(' ')[0]) : undefined;
}

/** Removes the lock of a process that is gone, but puts it back if it has a new owner by now. */
function removeStale(path: string, owner: string): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (read(aside) !== owner) link(aside, path);
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

function isAlive(owner: string): boolean {
  const [pid, life] = owner.split(' ');
  return lifeOf(Number(pid)) === life;
}

/** Tells one life of a process number from the next where the system shows it; undefined for one that is not there. */
function lifeOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat !== undefined) {
    // The command name is in brackets and may hold anything, brackets too.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[START_TIME_FIELD];
  }
  if (process.platform === 'linux') return undefined;
  try {
    process.kill(pid, 0);
    return 'runs';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'runs' : undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
