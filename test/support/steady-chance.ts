import fc from '../../node_modules/fast-check/lib/fast-check.js';

/**
 * Stands in for fast-check in every test (see vitest.config.ts): the same examples in every run, so that a run of CI
 * does not fail by chance. `FC_SEED` asks for others.
 */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_115) });

export default fc;
