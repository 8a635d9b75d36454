import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

/** Checks of the repository itself: its documents, layers, package and deployment (`npm run check:project`). */
export default defineConfig({
  ...suite,
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    ...suite.test,
    projects: undefined,
    include: ['test/project/*.test.ts'],
    globalSetup: ['test/support/database-global-setup.ts'],
  },
});
