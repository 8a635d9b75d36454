import { existsSync, readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../../shared/data/realnet/', import.meta.url);

/** Why the recorded network cannot be used, to put behind the name of a test; empty if it can. */
export const missingNetwork = existsSync(ROOT)
  ? ''
  : ' (skipped: the recorded network is not beside this checkout)';

/** The parts of the recorded network. */
export type RecordedPart = 'accounts' | 'http' | 'lite' | 'tonlib';

/** Names of the recordings of a part that start with something. */
export function recordedNames(part: RecordedPart, start = ''): string[] {
  if (missingNetwork !== '') return [];
  return readdirSync(new URL(`${part}/`, ROOT))
    .filter((file) => file.startsWith(start) && file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));
}

/** One recording. */
// biome-ignore lint/suspicious/noExplicitAny: recordings have as many shapes as there are methods.
export function recorded(part: RecordedPart, name: string): any {
  return JSON.parse(readFileSync(new URL(`${part}/${name}.json`, ROOT), 'utf8'));
}
