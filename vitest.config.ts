import { hash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { createSlowestFiles } from './test/support/slowest-files.ts';
import { sortTests } from './test/support/sort-tests.ts';

// Compiled files and fixtures are kept between runs. Not in node_modules: a checkout may be read-only, and belong to
// another user. Each checkout has its own: a run with another lock file empties it.
const checkout = hash('sha256', import.meta.dirname).slice(0, 8);
process.env.TEST_CACHE ??= join(tmpdir(), `tongate-vitest-${process.getuid?.() ?? 'user'}-${checkout}`);
const cacheDir = process.env.TEST_CACHE;

// Workers, and the processes and threads that tests start, load our files without compiling them anew.
process.env.NODE_COMPILE_CACHE ??= join(cacheDir, 'compiled');

// Databases and chains of tests are written to memory where there is room for them.
process.env.TMPDIR ??= hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();

/** Where tests run on a cluster: what looks at the plans of a single server, or at a schema that Citus adds views to. */
const onlyPlain = [
  'test/db/schema.test.ts',
  'test/index/read/*-plans.test.ts',
  'test/index/read/message-pages.test.ts',
  'test/index/read/trace-pages.test.ts',
];
const isCluster = process.env.TEST_CLUSTER !== undefined || process.env.TEST_WORKER_URLS !== undefined;

const sorted = sortTests(import.meta.dirname);

function project(name: keyof typeof sorted) {
  return {
    extends: true as const,
    test: {
      name,
      include: [...sorted[name]],
      // `npm run check:project` runs them.
      exclude: ['test/project/**', ...(isCluster ? onlyPlain : [])],
      ...(name !== 'unit' && { globalSetup: ['test/support/database-global-setup.ts'] }),
    },
  };
}

export default defineConfig({
  cacheDir,
  resolve: {
    alias: { 'fast-check': fileURLToPath(new URL('test/support/seeded-fast-check.ts', import.meta.url)) },
  },
  test: {
    projects: [project('unit'), project('database'), project('system')],
    // Files share a process and what it has loaded, which halves the work of the suite.
    isolate: false,
    setupFiles: [
      'test/support/compare-bytes.ts',
      'test/support/native-crypto.ts',
      'test/support/quick-bits.ts',
    ],
    // What one run has compiled the next one has already.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(cacheDir, 'modules') },
    // Loaded by Node itself, as in production: nothing is compiled by Vite, and imports are not looked up on every use.
    server: { deps: { external: [/\/src\/.*\.ts$/] } },
    reporters: ['default', createSlowestFiles()],
    // Processes, not threads: tests send signals, and count what a process leaves behind.
    pool: 'forks',
    // Tests load much and keep little: with Node's small young generation, a fourteenth of their time is its collection.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
    // Tests wait for PostgreSQL, processes and blocks a third of their time, so there is one file more than there are
    // cores; each file needs some of the server's connections.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    // A test that waits does so for a condition. These limits are for what hangs, on a machine that may be ten times slower.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= 4 * 2 ** 30;
  } catch {
    return false;
  }
}
