import { existsSync } from 'node:fs';

/** A recorded private network: its blocks, states and lite-server answers. It is not part of this repository. */
export const RECORDED_NETWORK = new URL('../../../shared/data/realnet/', import.meta.url);

/** Added to the names of tests that are skipped because the recorded network is not there; empty if it is. */
export const missingNetwork = existsSync(RECORDED_NETWORK)
  ? ''
  : ' (skipped: the recorded network is not beside this checkout)';
