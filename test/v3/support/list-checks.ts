import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { createV3Operations } from '../../../src/v3/operations.ts';
import { sampled } from '../../support/long-run.ts';
import { createListClient, expectRefusals, type ListQuery, somePairs } from './list-queries.ts';
import { contractCheck, documentCheck, missingContract } from './response-schemas.ts';

/** A list operation and its expected rows. */
export interface CheckedList {
  readonly name: string;
  /** The response field with the rows. */
  readonly key: string;
  /** Values to try for each parameter. */
  readonly choices: Readonly<Record<string, readonly (string | readonly string[])[]>>;
  /** Sets of parameters, one of which is always given. */
  readonly bases?: readonly ListQuery[];
  /** Identifies a row. */
  readonly idOf: (row: Record<string, string>) => string;
  /** The identities of all rows that the query should return, in order. */
  readonly expected: (query: ListQuery) => readonly string[];
  /** Whether a query is refused. */
  readonly isRefused?: (query: ListQuery) => boolean;
}

/** How many combinations are read page by page. */
const WALKS = sampled(1, 20);
const WITHOUT_BOOKS = { 'x-no-address-book': '1', 'x-no-metadata': '1' };

/** Every value and every pair of values (in a sample, some of them), and some larger combinations. */
function combinations({ choices, bases = [{}], isRefused = () => false }: CheckedList): ListQuery[] {
  const singles = Object.entries(choices).flatMap(([name, values]) =>
    values.map((value) => ({ [name]: value })),
  );
  const all = singles.flatMap((one, at) => singles.slice(at + 1).map((other) => ({ ...one, ...other })));
  const pairs = somePairs(all);
  const more = pairs.map((pair, at) => ({
    ...pair,
    ...singles[(at * 7) % singles.length],
    ...singles[(at * 11 + 5) % singles.length],
  }));
  const queries = [{}, ...singles, ...pairs, ...more.filter((_, at) => at % 8 === 0)];
  return bases
    .flatMap((base) => queries.map((query) => ({ ...query, ...base })))
    .filter((q) => !isRefused(q));
}

/** Expects the right rows for all combinations, and for some of them the same rows page by page. */
export async function checkCombinations(app: FastifyInstance, list: CheckedList): Promise<number> {
  const pageOf = async (query: ListQuery) => {
    const answer = await createListClient(app, list.name).inject(query, WITHOUT_BOOKS);
    expect(answer.statusCode, `${JSON.stringify(query)} ${answer.body.slice(0, 300)}`).toBe(200);
    const ids: string[] = answer.json()[list.key].map(list.idOf);
    return { ids, cursor: answer.headers['x-tongate-next-cursor'] as string | undefined };
  };
  let rows = 0;
  const queries = combinations(list);
  const step = Math.ceil(queries.length / WALKS);
  for (const [at, query] of queries.entries()) {
    const expected = list.expected(query);
    const { ids } = await pageOf({ ...query, limit: '1000' });
    expect(ids, JSON.stringify(query)).toEqual(expected);
    rows += ids.length;
    if (at % step !== 0 || ids.length === 0) continue;
    const small = [7, 3, ids.length > 20 ? 11 : 1][(at / step) % 3]!;
    const limit = sampled(Math.max(small, Math.ceil(ids.length / 8)), small);
    const byOffset: string[] = [];
    for (let offset = 0; offset <= ids.length; offset += limit)
      byOffset.push(...(await pageOf({ ...query, limit: `${limit}`, offset: `${offset}` })).ids);
    expect(byOffset, JSON.stringify({ ...query, limit })).toEqual(expected);
    const byCursor: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await pageOf({ ...query, limit: `${limit}`, ...(cursor && { cursor }) });
      byCursor.push(...page.ids);
      cursor = page.cursor;
    }
    expect(byCursor, JSON.stringify({ ...query, limit, cursor: '' })).toEqual(expected);
  }
  return rows;
}

/** Expects responses that match the reference contract, if available, and our own document. */
export async function checkForms(
  app: FastifyInstance,
  name: string,
  queries: readonly ListQuery[],
): Promise<void> {
  const checks = [documentCheck(), ...(missingContract === '' ? [contractCheck()] : [])];
  for (const query of queries) {
    const answer = await createListClient(app, name).ask({ ...query, limit: '1000' });
    for (const check of checks) expect(check(name, answer), JSON.stringify(query)).toBe('');
  }
}

/** Expects refusals by name for junk in any parameter; `base` has the required parameters. */
export async function checkRefusals(
  app: FastifyInstance,
  name: string,
  certain: Readonly<Record<string, readonly string[]>>,
  base: ListQuery = {},
): Promise<void> {
  const operation = createV3Operations({ defaultLimit: 10, maxLimit: 1000 }).find(
    (each) => each.name === name,
  )!;
  const asker = createListClient(app, name);
  const onBase = { ...asker, inject: (query: ListQuery) => asker.inject({ ...base, ...query }) };
  await expectRefusals(operation, onBase, {
    limit: ['0', '-1', '1001', 'x'],
    offset: ['-1', 'x', '2147483648'],
    cursor: ['x', 'W10', 'bnVsbA'],
    ...certain,
  });
}
