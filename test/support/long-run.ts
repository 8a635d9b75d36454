/** Whether long tests run completely (`npm run test:long`); with `npm test`, they run on a sample. */
export const isLongRun = process.env.TEST_LONG === '1';

/** The value for `npm test`, or the one for a long run. */
export function sampled<T>(sample: T, all: T): T {
  return isLongRun ? all : sample;
}

/** A pseudo-random sample of the items, in their order; all of them in a long run. */
export function sampleOf<T>(items: readonly T[], count: number, seed = 1): readonly T[] {
  if (isLongRun || items.length <= count) return items;
  const ranked = items.map((_, at) => ({ at, rank: scramble(at + 1, seed) }));
  const chosen = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, count);
  return chosen.toSorted((a, b) => a.at - b.at).map(({ at }) => items[at]!);
}

/** One item of each kind, in their order; all of them in a long run. */
export function oneOfEach<T>(items: readonly T[], kindOf: (item: T) => string): readonly T[] {
  if (isLongRun) return items;
  return [...Map.groupBy(items, kindOf).values()].map((alike, at) => alike[scramble(at, 1) % alike.length]!);
}

/** A pseudo-random number that is the same in every run. */
function scramble(value: number, seed: number): number {
  let mixed = Math.imul(value, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
