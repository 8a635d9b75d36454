import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../lib/start-error.ts';
import type { Place } from './place.ts';

/** Names the socket file; nothing listens on TCP. */
export const PORT = 5432;
export const USER = 'tongate';
export const DATABASE = 'tongate';

/** What fits into `sockaddr_un`, without the closing zero. */
const PATH_LIMIT_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * Makes the directory of the socket, which only PostgreSQL's user (and root) can enter; trust needs no more.
 */
export function openSocketDirectory({ location, account }: Place): string {
  const directory = chooseDirectory(location);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const owner = account?.uid ?? process.getuid?.();
  const found = lstatSync(directory);
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== process.getuid?.())) {
    throw new StartError(
      `The socket directory ${directory} belongs to somebody else (uid ${found.uid}); ` +
        'remove it or use a shorter DATA_DIR',
    );
  }
  if (account !== undefined) chownSync(directory, account.uid, account.gid);
  chmodSync(directory, 0o700);
  return directory;
}

/** Removes the directory of a PostgreSQL that has ended when that is not beside the data. */
export function removeSocketDirectory({ location }: Place): void {
  const directory = chooseDirectory(location);
  if (directory !== besideData(location)) rmSync(directory, { recursive: true, force: true });
}

/** The directory of the socket where paths are short enough. */
export function besideData(location: string): string {
  return join(location, 'socket');
}

function chooseDirectory(location: string): string {
  const beside = besideData(location);
  if (Buffer.byteLength(socketPath(beside)) <= PATH_LIMIT_BYTES) return beside;
  const name = createHash('sha256').update(location).digest('hex').slice(0, 16);
  return join(tmpdir(), `tongate-${name}`);
}

/** The socket file in a directory. */
export function socketPath(directory: string): string {
  return join(directory, `.s.PGSQL.${PORT}`);
}

/** A URL that pg and libpq take; `localhost` only makes it a valid URL, the `host` parameter wins. */
export function socketUrl(directory: string, database: string = DATABASE): string {
  const parameters = new URLSearchParams({ host: directory, port: String(PORT), sslmode: 'disable' });
  return `postgresql://${USER}@localhost/${database}?${parameters}`;
}
