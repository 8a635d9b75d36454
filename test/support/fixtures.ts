import { hash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createImportReader } from './import-closure.ts';
import { perProcess } from './per-process.ts';
import { copyWithOwners } from './temporary-directory.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HASH_DIGITS = 8;

/**
 * A hash of all that a fixture depends on: the files that the one which makes it imports, the packages, and the version of
 * Node. A fixture is kept between runs under a name with this hash.
 */
export function fixtureHash(file: string): string {
  return perProcess(`hash of ${file}`, () => {
    const reached = createImportReader(ROOT).reach(file, (path) => !path.startsWith('node_modules/'));
    const texts = [...reached, 'package-lock.json']
      .toSorted()
      .filter((path) => /\.\w+$/.test(path) && existsSync(join(ROOT, path)))
      .map((path) => `${path}\n${readFileSync(join(ROOT, path), 'base64')}`);
    return hash('sha256', [process.version, process.arch, ...texts].join('\n')).slice(0, HASH_DIGITS);
  });
}

/** Where fixtures are kept between runs; `vitest.config.ts` chooses the folder. */
function pathOf(name: string): string {
  return join(process.env.TEST_CACHE!, 'fixtures', name);
}

/** Copies the files of a fixture; false if there are none, or if they are too old. */
export function copyFixture(name: string, to: string, maxAgeMs = Number.POSITIVE_INFINITY): boolean {
  const stored = statSync(pathOf(name), { throwIfNoEntry: false });
  if (stored === undefined || Date.now() - stored.ctimeMs > maxAgeMs) return false;
  copyWithOwners(pathOf(name), to);
  return true;
}

/** Stores files under a name, in place of those of an older fixture: names are a subject and a hash. */
export function storeFixture(from: string, name: string): void {
  const folder = join(process.env.TEST_CACHE!, 'fixtures');
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(join(folder, 'draft-'));
  chmodSync(folder, 0o755);
  copyWithOwners(from, join(draft, name));
  const [subject] = name.split(/-(?=[^-]+$)/);
  for (const other of readdirSync(folder))
    if (other.startsWith(`${subject}-`)) rmSync(join(folder, other), { recursive: true, force: true });
  renameSync(join(draft, name), pathOf(name));
  rmSync(draft, { recursive: true, force: true });
}
