import type { BesideCase } from './cases.ts';
import type { Answer, Endpoint } from './endpoint.ts';

/** What the answers of two endpoints to the same requests have in common. */
export interface ComparedAnswers {
  readonly compared: number;
  readonly equal: number;
  /** Places in which answers differ, with the number of answers; `[]` stands for any index. */
  readonly differences: readonly { readonly place: string; readonly answers: number }[];
}

/** Compares the answers to some requests of a case, spread over its keys. Members with ignored names are left out. */
export async function compareAnswers(
  { keys, pathOf }: BesideCase,
  [a, b]: readonly [Endpoint, Endpoint],
  count: number,
  ignored: ReadonlySet<string>,
): Promise<ComparedAnswers> {
  const compared = Math.min(count, keys);
  const places = new Map<string, number>();
  let equal = 0;
  for (let at = 0; at < compared; at++) {
    const path = pathOf(Math.floor((at * keys) / compared));
    const [first, second] = await Promise.all([a.ask(path), b.ask(path)]);
    const found = differencesOf(first, second, ignored);
    if (found.size === 0) equal += 1;
    for (const place of found) places.set(place, (places.get(place) ?? 0) + 1);
  }
  const differences = [...places].map(([place, answers]) => ({ place, answers }));
  return { compared, equal, differences: differences.sort((x, y) => y.answers - x.answers) };
}

/** Places in which two answers differ, each once. */
export function differencesOf(a: Answer, b: Answer, ignored: ReadonlySet<string>): Set<string> {
  const places = new Set<string>();
  if (a.status !== b.status) places.add(`status ${a.status} in A, ${b.status} in B`);
  else if (a.status === 200) addDifferences(places, '', a.json, b.json, ignored);
  return places;
}

function addDifferences(
  places: Set<string>,
  place: string,
  a: unknown,
  b: unknown,
  ignored: ReadonlySet<string>,
) {
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) places.add(`${place}: lists of different length`);
    for (let at = 0; at < Math.min(a.length, b.length); at++)
      addDifferences(places, `${place}[]`, a[at], b[at], ignored);
  } else if (isObject(a) && isObject(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (ignored.has(name)) continue;
      const below = place === '' ? name : `${place}.${nameOf(name)}`;
      if (!(name in b)) places.add(`${below}: only in A`);
      else if (!(name in a)) places.add(`${below}: only in B`);
      else addDifferences(places, below, a[name], b[name], ignored);
    }
  } else if (!Object.is(a, b)) places.add(place);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names that are keys themselves, such as addresses and hashes, are one place. */
function nameOf(name: string): string {
  return name.length > 40 ? '*' : name;
}
