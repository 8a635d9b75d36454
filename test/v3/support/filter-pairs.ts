import type { ListQuery } from './list-asker.ts';

/** Values to try, by parameter. */
export type ListValues = Readonly<Record<string, readonly (string | readonly string[])[]>>;

/** Every value alone, and every pair of values of two parameters, in both orders. */
export function filterPairs(values: ListValues): ListQuery[] {
  const single = Object.entries(values).flatMap(([name, each]) => each.map((value) => ({ [name]: value })));
  const pairs = single.flatMap((one, at) =>
    single
      .slice(at + 1)
      .flatMap((other) => (Object.keys(one)[0] === Object.keys(other)[0] ? [] : [{ ...one, ...other }])),
  );
  return [{}, ...single, ...pairs].flatMap((query) => [
    { ...query, sort: 'asc' },
    { ...query, sort: 'desc' },
  ]);
}

/** The values that come most often, the commonest first. */
export function common<T>(values: readonly T[]): T[] {
  return [...Map.groupBy(values, (value) => value)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([value]) => value);
}
