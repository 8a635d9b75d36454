import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Not in node_modules: a checkout may be read-only, and belong to another user.
  cacheDir: join(tmpdir(), `tongate-vitest-${process.getuid?.() ?? 'user'}`),
  resolve: {
    alias: { 'fast-check': fileURLToPath(new URL('test/support/steady-chance.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts'],
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
