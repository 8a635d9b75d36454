import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '../../src/lib/process-identity.ts';

const PREFIX = 'tongate-test-';

/** A new directory that every user may enter: root's PostgreSQL runs as another one. */
export function makeTemporaryDirectory(name: string): string {
  const path = mkdtempSync(join(realpathSync(tmpdir()), `${PREFIX}${process.pid}-${name}-`));
  chmodSync(path, 0o755);
  return path;
}

/** Directories of runs that were killed; their process is no more. */
export function forgottenTemporaryDirectories(): string[] {
  const parent = realpathSync(tmpdir());
  return readdirSync(parent)
    .filter((name) => {
      // A name without a process number is not of our making.
      const pid = /^tongate-test-(\d+)-/.exec(name)?.[1];
      return pid !== undefined && processIdentity(Number(pid)) === undefined;
    })
    .map((name) => join(parent, name))
    .filter((path) => statSync(path).uid === process.getuid?.());
}

/**
 * Removes it with everything in it, also while a process that was just ended is still writing its last files.
 */
export async function removeTemporaryDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Copies a directory; the files keep their owners, which Node's own copy does not do. */
export function copyWithOwners(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}
