import { globSync } from 'node:fs';
import { createImportReader } from './import-closure.ts';

/** The projects of the suite, by what their files need. */
type Project = 'unit' | 'database' | 'system';

/** Importing one of these, directly or through other test files, makes a file part of `system`. */
const SYSTEM = new Set([
  'node:child_process',
  'playwright-core',
  'src/localnet/chain/localnet.ts',
  'src/localnet/chain/start-localnet.ts',
  'src/localnet/collate/collator.ts',
  'test/support/browser.ts',
  'test/support/citus.ts',
  'test/support/embedded.ts',
  'test/support/redis.ts',
  'test/support/tongate-process.ts',
]);
/** The same for `database`, if it is not part of `system`. */
const DATABASE = 'test/support/database.ts';
/** Copies files with `cp`, which is no process that a test deals with. */
const PLAIN = 'test/support/temporary-directory.ts';

/** Sorts all test files of a checkout by what they import, so that there is no list to maintain. */
export function sortTests(root: string): Readonly<Record<Project, readonly string[]>> {
  const { reach } = createImportReader(root);
  const isLookedInto = (path: string) => path.startsWith('test/') && path !== PLAIN;
  function projectOf(file: string): Project {
    const reached = reach(file, isLookedInto);
    if (reached.some((path) => SYSTEM.has(path))) return 'system';
    return reached.includes(DATABASE) ? 'database' : 'unit';
  }
  const sorted: Record<Project, string[]> = { unit: [], database: [], system: [] };
  for (const file of globSync('test/**/*.test.ts', { cwd: root })) sorted[projectOf(file)].push(file);
  return sorted;
}
