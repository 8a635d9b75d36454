import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../lib/start-error.ts';

const DEFAULT_ROOT = '/var/lib/tongate';

/** Where root keeps what PostgreSQL's account cannot reach in its proper place, best first. */
export function fallbackRoots(preferred: string = DEFAULT_ROOT): readonly string[] {
  return [preferred, join(tmpdir(), 'tongate')];
}

/** The first of the roots that can be written to; it is made when it is not there. */
export function openFallbackRoot(roots: readonly string[]): string {
  const root = roots.find(isUsable);
  if (root !== undefined) return root;
  throw new StartError(
    'PostgreSQL does not run as root and needs a directory that its user can reach, but none of ' +
      `${roots.join(', ')} is writable and ours alone; ` +
      'start tongate as an ordinary user or set DATABASE_URL',
  );
}

/**
 * Programs are run from here, so nobody else may be able to write: /tmp/tongate could have been made by
 * anyone.
 */
function isUsable(root: string): boolean {
  try {
    if (mkdirSync(root, { recursive: true }) !== undefined) chmodSync(root, 0o755);
    accessSync(root, constants.W_OK);
    const { uid, mode } = statSync(root);
    return uid === process.getuid?.() && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}
