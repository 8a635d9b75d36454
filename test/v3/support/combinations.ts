import type { ListQuery } from './list-asker.ts';

/** Values to try of each parameter. */
export type ValuesToTry = Readonly<Record<string, readonly (string | readonly string[])[]>>;

/** No filter, every value alone, and every pair of values of two parameters. */
export function combinations(values: ValuesToTry): ListQuery[] {
  const flat = Object.entries(values).flatMap(([name, each]) => each.map((value) => ({ name, value })));
  const single = flat.map(({ name, value }): ListQuery => ({ [name]: value }));
  const pairs = flat.flatMap((one, at) =>
    flat.slice(at + 1).flatMap((other): ListQuery[] => {
      if (one.name === other.name) return [];
      return [{ [one.name]: one.value, [other.name]: other.value }];
    }),
  );
  return [{}, ...single, ...pairs];
}

/** Each of some queries in both orders. */
export function bothOrders(queries: readonly ListQuery[]): ListQuery[] {
  return queries.flatMap((query) => ['asc', 'desc'].map((sort) => ({ ...query, sort })));
}
