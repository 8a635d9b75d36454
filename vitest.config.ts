import { hash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Not in node_modules: a checkout may be read-only, and belong to another user. Each checkout has its own: a run with
// another lock file empties it.
const checkout = hash('sha256', import.meta.dirname).slice(0, 8);
const cacheDir = join(tmpdir(), `tongate-vitest-${process.getuid?.() ?? 'user'}-${checkout}`);

// Databases and chains of tests are written to memory where there is room for them.
process.env.TMPDIR ??= hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();

/** Files that change or measure their whole process. */
const alone = [
  'test/chain/boc/core-sha256.test.ts',
  'test/chain/boc/fuzz.test.ts',
  'test/lite/methods/codec-fuzz.test.ts',
  'test/conformance/tonweb.test.ts',
  'test/ingest/decode/decoder.test.ts',
  'test/v2/faults/load.test.ts',
];

/** Where tests run on a cluster: what looks at the plans of a single server, or at a schema that Citus adds views to. */
const onlyPlain = [
  'test/db/schema.test.ts',
  'test/db/queries/*-plans.test.ts',
  'test/index/read/message-pages.test.ts',
  'test/index/read/trace-pages.test.ts',
];
const isCluster = process.env.TEST_CLUSTER !== undefined || process.env.TEST_WORKER_URLS !== undefined;

export default defineConfig({
  cacheDir,
  resolve: {
    alias: { 'fast-check': fileURLToPath(new URL('test/support/seeded-fast-check.ts', import.meta.url)) },
  },
  test: {
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // The others share a process and what it has loaded, which halves the work of the suite.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...(isCluster ? onlyPlain : [])],
          isolate: false,
          setupFiles: ['test/support/native-crypto.ts'],
        },
      },
    ],
    // What one run has compiled the next one has already.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(cacheDir, 'modules') },
    // Loaded by Node itself, as in production: nothing is compiled by Vite, and imports are not looked up on every use.
    server: { deps: { external: [/\/src\/.*\.ts$/] } },
    globalSetup: ['test/support/database-global-setup.ts'],
    setupFiles: ['test/support/compare-bytes.ts'],
    // Processes and threads that tests start load our files without compiling them anew.
    env: { NODE_COMPILE_CACHE: join(cacheDir, 'compiled') },
    // Processes, not threads: tests send signals, and count what a process leaves behind.
    pool: 'forks',
    // Tests wait for PostgreSQL, processes and blocks a third of their time, so there is one file more than there are
    // cores; each file needs some of the server's connections.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    // A test that waits does so for a condition. These limits are for what hangs, on a machine that may be ten times slower.
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
