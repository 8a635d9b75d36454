import { readdirSync, readFileSync } from 'node:fs';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';

/** The parts of the recorded network. */
type RecordedPart = 'accounts' | 'http' | 'lite' | 'tonlib';

/** Names of the recordings of a part that start with something. */
export function recordedNames(part: RecordedPart, start = ''): string[] {
  if (missingNetwork !== '') return [];
  return readdirSync(new URL(`${part}/`, RECORDED_NETWORK))
    .filter((file) => file.startsWith(start) && file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));
}

/** One recording. */
// biome-ignore lint/suspicious/noExplicitAny: recordings have as many shapes as there are methods.
export function recorded(part: RecordedPart, name: string): any {
  return JSON.parse(readFileSync(new URL(`${part}/${name}.json`, RECORDED_NETWORK), 'utf8'));
}
