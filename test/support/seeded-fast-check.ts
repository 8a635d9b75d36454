import fc from '../../node_modules/fast-check/lib/fast-check.js';
import { isLongRun } from './long-run.ts';

/**
 * Replaces fast-check in all tests (see vitest.config.ts) with a fixed seed, so that CI does not fail at random. `FC_SEED`
 * sets another seed. A short run has a third of the usual hundred cases where a test does not say how many.
 */
fc.configureGlobal({
  seed: Number(process.env.FC_SEED ?? 20_261_115),
  ...(!isLongRun && { numRuns: 33 }),
});

export default fc;
