import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity } from '../../lib/process-identity.ts';

/** Notes that this process uses the PostgreSQL of a location; the returned function takes the note back. */
export function registerUser(location: string): () => void {
  const directory = join(location, 'users');
  mkdirSync(directory, { recursive: true });
  // One process may use the same PostgreSQL more than once.
  const entry = join(directory, `${process.pid}-${randomBytes(4).toString('hex')}`);
  writeFileSync(entry, String(processIdentity(process.pid)));
  return () => rmSync(entry, { force: true });
}

/** How many live uses are noted; the notes of processes that died without taking them back are removed. */
export function countUsers(location: string): number {
  const directory = join(location, 'users');
  if (!existsSync(directory)) return 0;
  const live = readdirSync(directory).filter((name) => {
    const entry = join(directory, name);
    const pid = Number(name.split('-')[0]);
    if (processIdentity(pid) === readFileSync(entry, 'utf8')) return true;
    rmSync(entry, { force: true });
    return false;
  });
  return live.length;
}
