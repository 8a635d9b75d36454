import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { CellBag } from '../../../src/chain/boc/cell-bag.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';

const NETWORK = new URL('../../../../shared/data/realnet/', import.meta.url);

/** Why tests on the recorded network are left out, for their titles; empty when it is there. */
export const networkMissing = existsSync(NETWORK)
  ? ''
  : ' (skipped: the recorded network is not beside this checkout)';

/** A block or a state of the recorded network. */
export function recordedBag(path: string): CellBag {
  return readBoc(readFileSync(new URL(`${path}.boc`, NETWORK)));
}

/** A recorded answer. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes, read in tests only.
export function recordedAnswer(path: string): any {
  return JSON.parse(readFileSync(new URL(`${path}.json`, NETWORK), 'utf8'));
}

/** The names of the recorded files of a folder, without what comes after the last dot. */
export function recordedNames(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, NETWORK));
  return names.map((name) => name.slice(0, name.lastIndexOf('.'))).sort();
}
