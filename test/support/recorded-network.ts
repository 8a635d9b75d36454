import { existsSync } from 'node:fs';

/** A recorded private network: blocks, states and lite-server responses. Not part of this repository. */
export const RECORDED_NETWORK = new URL('../../../shared/data/realnet/', import.meta.url);

/** Suffix for the titles of tests that are skipped without the recorded network; empty if it exists. */
export const missingNetwork = existsSync(RECORDED_NETWORK)
  ? ''
  : ' (skipped: the recorded network is not stored next to this checkout)';
