import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const shared = ['chain', 'config', 'lib', 'lite', 'v2', 'v3', 'http'].map((room) => `test/${room}/**/*.test.ts`);

export default defineConfig({
  // Not in node_modules: a checkout may be read-only, and belong to another user.
  cacheDir: join(tmpdir(), `tongate-vitest-${process.getuid?.() ?? 'user'}`),
  resolve: {
    alias: { 'fast-check': fileURLToPath(new URL('test/support/steady-chance.ts', import.meta.url)) },
  },
  test: {
    projects: [
      // Files that leave nothing behind share a process and what it has loaded, which halves the work of the suite.
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: shared } },
    ],
    globalSetup: ['test/support/database-global-setup.ts'],
    // Processes, not threads: tests send signals, and count what a process leaves behind.
    pool: 'forks',
    // Most tests wait for PostgreSQL, so every core takes a file; each file needs some of the server's
    // connections.
    maxWorkers: Math.min(availableParallelism(), 8),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
