import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { Operation } from '../../../src/http/operation.ts';
import type { V3Call } from '../../../src/v3/operation.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { oneOfEach, sampled, sampleOf } from '../../support/long-run.ts';

/** Parameters of a request; several values of one are repeated. */
export type ListQuery = Readonly<Record<string, string | readonly string[]>>;

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Json = any;

/** Calls a list operation, whole or page by page. */
export function createListClient(app: FastifyInstance, name: string, key = name) {
  const inject = async (query: ListQuery, headers: Record<string, string> = {}) => {
    const pairs = Object.entries(query).flatMap(([key, value]) =>
      [value].flat().map((each): [string, string] => [key, each]),
    );
    return app.inject({ url: `/api/v3/${name}?${new URLSearchParams(pairs)}`, headers });
  };
  const ask = async (query: ListQuery): Promise<Json> => {
    const answer = await inject(query);
    expect(answer.statusCode, `${JSON.stringify(query)} ${answer.body.slice(0, 300)}`).toBe(200);
    return answer.json();
  };
  return {
    inject,
    ask,
    /** All rows on one page. */
    rows: async (query: ListQuery): Promise<Json[]> => (await ask({ ...query, limit: '1000' }))[key],
    /** The rows of all pages, by offset. */
    async byOffset(query: ListQuery, limit: number): Promise<Json[]> {
      const rows: Json[] = [];
      for (;;) {
        const page = (await ask({ ...query, limit: `${limit}`, offset: `${rows.length}` }))[key];
        rows.push(...page);
        if (page.length < limit) return rows;
      }
    },
    /** The rows of all pages, by cursor. */
    async byCursor(query: ListQuery, limit: number): Promise<Json[]> {
      const rows: Json[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const answer = await inject({ ...query, limit: `${limit}`, ...(cursor && { cursor }) });
        expect(answer.statusCode, answer.body).toBe(200);
        rows.push(...answer.json()[key]);
        cursor = answer.headers['x-tongate-next-cursor'] as string | undefined;
      }
      return rows;
    },
  };
}

/** Values to try of each parameter. */
export type ValuesToTry = Readonly<Record<string, readonly (string | readonly string[])[]>>;

/** No filter, every value alone, and every pair of values of two parameters; a sample has some of the pairs. */
export function combinations(values: ValuesToTry): ListQuery[] {
  const flat = Object.entries(values).flatMap(([name, each]) => each.map((value) => ({ name, value })));
  const single = flat.map(({ name, value }): ListQuery => ({ [name]: value }));
  const pairs = flat.flatMap((one, at) =>
    flat.slice(at + 1).flatMap((other): ListQuery[] => {
      if (one.name === other.name) return [];
      return [{ [one.name]: one.value, [other.name]: other.value }];
    }),
  );
  return [{}, ...single, ...somePairs(pairs)];
}

/** All pairs of values; a sample has one pair of values of every twelfth pair of parameters. */
export function somePairs(pairs: readonly ListQuery[]): readonly ListQuery[] {
  const byNames = oneOfEach(pairs, (pair) => Object.keys(pair).join());
  return sampleOf(byNames, Math.ceil(byNames.length / 12));
}

/** Each of some queries in both orders; a sample has every other query in the other order. */
export function someOrders(queries: readonly ListQuery[]): ListQuery[] {
  return sampled(
    queries.map((query, at) => ({ ...query, sort: at % 2 === 0 ? 'desc' : 'asc' })),
    bothOrders(queries),
  );
}

/** Sizes of pages in which a list of some rows is read; a sample has one of them. */
export function pageSizes(count: number, chosen: number): readonly number[] {
  const sizes = count > 10 ? [Math.ceil(count / 3), Math.ceil(count / 7), count] : [1, 3, 7];
  return sampled([sizes[chosen % sizes.length]!], sizes);
}

/** The values at some parts of a list: 0 is the first one, 1 the last. */
export function atParts<T>(values: readonly T[], parts: readonly number[]): T[] {
  return parts.map((part) => values[Math.floor(part * (values.length - 1))]!);
}

/** Each of some queries in both orders. */
export function bothOrders(queries: readonly ListQuery[]): ListQuery[] {
  return queries.flatMap((query) => ['asc', 'desc'].map((sort) => ({ ...query, sort })));
}

/** Values to try, by parameter. */
export type ListValues = Readonly<Record<string, readonly (string | readonly string[])[]>>;

/** No filter, every value alone, and every pair of values of two parameters, in both orders; or a sample of them. */
export function filterPairs(values: ListValues): ListQuery[] {
  return someOrders(combinations(values));
}

/** The most frequent values first. */
export function common<T>(values: readonly T[]): T[] {
  return [...Map.groupBy(values, (value) => value)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([value]) => value);
}

/** All values of a parameter. */
export const valuesOf = (query: ListQuery, name: string): readonly string[] => [query[name] ?? []].flat();

/** Whether a parameter lists an account; true if the parameter is absent. */
export function isNamed(query: ListQuery, name: string, account: Buffer | null): boolean {
  const values = valuesOf(query, name);
  return values.length === 0 || (account !== null && values.includes(formatAccount(account)));
}

type Key = Buffer | bigint | number | string;

/** Sorts by several keys. */
export function sortBy<T>(rows: readonly T[], ...keys: readonly ((row: T) => Key)[]): T[] {
  return rows.toSorted((a, b) => {
    for (const key of keys) {
      const order = compare(key(a), key(b));
      if (order !== 0) return order;
    }
    return 0;
  });
}

function compare(a: Key, b: Key): number {
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return Buffer.compare(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Texts that match no kind of parameter, or that tend to break things. */
const JUNK = [
  'x',
  '-1',
  '1.5e400',
  '0x',
  'null',
  'NaN',
  '9'.repeat(30),
  ' ',
  "'; drop table messages; --",
  'a,b',
  '\0',
  '\ud83d',
  '[]',
  '{}',
  'true',
  'é',
  '0:',
  '-2:00',
  'A'.repeat(5000),
  '0'.repeat(63),
  '%00',
  '1e9',
];

/** Sends junk for every parameter and expects a refusal that names it, or success. */
export async function expectRefusals(
  operation: Operation<V3Call>,
  asker: ReturnType<typeof createListClient>,
  certain: Readonly<Record<string, readonly string[]>>,
  base: ListQuery = {},
): Promise<void> {
  for (const name of Object.keys(operation.parameters)) {
    for (const value of [...sampleOf(JUNK, 3, name.length), ...(certain[name] ?? [])]) {
      const answer = await asker.inject({ ...base, limit: '1', [name]: value });
      const what = `${name}=${value.slice(0, 40)}: ${answer.body.slice(0, 200)}`;
      expect([200, 404, 422], what).toContain(answer.statusCode);
      if (certain[name]?.includes(value)) expect(answer.statusCode, what).toBe(422);
      if (answer.statusCode === 422) {
        expect(answer.json(), what).toEqual({ code: 422, error: expect.stringContaining(name) });
      }
    }
  }
}
