import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const data = new URL('../../../shared/data/', import.meta.url);

/** The first slice of mainnet as pack files, with both zero states. Not part of this repository. */
export const MAINNET_PACKS = fileURLToPath(new URL('mainnet/archive/', data));
/** Pack files of a private network with two shards and simplex signatures. Not part of this repository. */
export const REAL_PACKS = fileURLToPath(new URL('realnet-archive/', data));
/** The zero state of that network: root hash in base64, file hash in hex. */
export const REAL_CONFIG = fileURLToPath(new URL('realnet-archive/global-config.json', data));

/** Suffix for the titles of tests that are skipped without these files; empty if they exist. */
export const missingPacks =
  existsSync(MAINNET_PACKS) && existsSync(REAL_PACKS)
    ? ''
    : ' (skipped: the pack files are not stored next to this checkout)';
