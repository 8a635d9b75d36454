import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '../../src/lib/process-identity.ts';

const PREFIX = 'tongate-test-';

/** Creates a directory that every user can enter: root runs PostgreSQL as another user. */
export function makeTemporaryDirectory(name: string): string {
  const path = mkdtempSync(join(realpathSync(tmpdir()), `${PREFIX}${process.pid}-${name}-`));
  chmodSync(path, 0o755);
  return path;
}

/** Directories of killed runs: their process does not exist any more. */
export function abandonedTemporaryDirectories(): string[] {
  const parent = realpathSync(tmpdir());
  return (
    readdirSync(parent)
      .filter((name) => {
        // Names without a process id are not ours.
        const pid = /^tongate-test-(\d+)-/.exec(name)?.[1];
        return pid !== undefined && processIdentity(Number(pid)) === undefined;
      })
      .map((name) => join(parent, name))
      // Another run may have removed it in the meantime.
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.())
  );
}

/**
 * Removes a directory, with retries while a stopping process still writes files.
 */
export async function removeTemporaryDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Copies a directory and preserves file owners, which Node's own copy does not. */
export function copyWithOwners(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}
