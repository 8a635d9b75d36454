import fc from '../../node_modules/fast-check/lib/fast-check.js';

/**
 * Replaces fast-check in all tests (see vitest.config.ts) with a fixed seed, so that CI does not fail at random. `FC_SEED`
 * sets another seed.
 */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_115) });

export default fc;
