import { readdirSync, readFileSync } from 'node:fs';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { RECORDED_NETWORK } from '../../support/recorded-network.ts';

/** A block or a state of the recorded network. */
export function recordedBag(path: string): CellBag {
  return readBoc(readFileSync(new URL(`${path}.boc`, RECORDED_NETWORK)));
}

/** A recorded answer. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes, read in tests only.
export function recordedAnswer(path: string): any {
  return JSON.parse(readFileSync(new URL(`${path}.json`, RECORDED_NETWORK), 'utf8'));
}

/** The names of the recorded files of a folder, without what comes after the last dot. */
export function recordedNames(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, RECORDED_NETWORK));
  return names.map((name) => name.slice(0, name.lastIndexOf('.'))).sort();
}
