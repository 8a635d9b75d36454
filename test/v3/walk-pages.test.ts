import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV3Operations } from '../../src/v3/operations.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { openWalkContext, type WalkAnswer, type WalkContext, type WalkParams } from './support/walk-app.ts';
import { demoCases, type WalkCase } from './support/walk-cases.ts';

const lists = createV3Operations({ defaultLimit: 10, maxLimit: 1000 }).filter(
  ({ parameters }) => 'limit' in parameters || 'offset' in parameters || 'cursor' in parameters,
);
/** Its pages are of traces, and have a test of their own. */
const OF_TRACES = 'actions/byAccount';
const HEADERS = { 'x-no-address-book': '1', 'x-no-metadata': '1' };
const WHOLE = '1000';
/** Lists of a short run; those of the largest tables have tests of their own. */
const SAMPLE = 8;
/** Longer lists are not read row by row. */
const MAX_SINGLE_ROWS = sampled(15, 40);

/** All pages of a list add up to the list: no row repeated, none missing, in the same order. */
describe('v3 pages', () => {
  let walk: WalkContext;
  let cases: Readonly<Record<string, WalkCase>>;
  beforeAll(async () => {
    walk = await openWalkContext();
    cases = await demoCases(walk.index.database.primary);
  });
  afterAll(() => walk?.close());

  it('cover every operation with a limit', () => {
    for (const { name, parameters } of lists) {
      expect([name, ...Object.keys(parameters)]).toEqual(
        expect.arrayContaining([name, 'limit', 'offset', 'cursor']),
      );
      expect([name, cases[name]?.rows]).toEqual([name, expect.any(String)]);
    }
    expect(lists.length).toBeGreaterThanOrEqual(20);
  });

  describe.each(
    sampleOf(
      lists.filter(({ name }) => name !== OF_TRACES),
      SAMPLE,
    ),
  )('$name', ({ name, parameters }) => {
    /** The rows of a response, and the query of the next page from its link. */
    function read(answer: WalkAnswer, what: string): { rows: string[]; next: string | undefined } {
      expect(answer.statusCode, `${what} ${answer.body.slice(0, 300)}`).toBe(200);
      const { rows } = cases[name]!;
      const list: unknown[] = rows === '' ? answer.json() : answer.json()[rows!];
      const next = /^<\?(.*)>; rel="next"$/.exec(`${answer.headers.link ?? ''}`)?.[1];
      return { rows: list.map((row) => JSON.stringify(row)), next };
    }

    const page = async (params: WalkParams) =>
      read(await walk.ask({ name, params, headers: HEADERS }), JSON.stringify(params));

    async function byOffset(params: WalkParams, limit: number): Promise<string[]> {
      const all: string[] = [];
      for (;;) {
        const { rows } = await page({ ...params, limit, offset: all.length });
        all.push(...rows);
        if (rows.length < limit) return all;
      }
    }

    /** Follows the links without interpreting them. */
    async function byLinks(params: WalkParams, limit: number): Promise<string[]> {
      const all: string[] = [];
      let { rows, next } = await page({ ...params, limit });
      for (;;) {
        expect(rows.length).toBeLessThanOrEqual(limit);
        all.push(...rows);
        if (next === undefined) return all;
        const url = `/api/v3/${name}?${next}`;
        ({ rows, next } = read(await walk.app.inject({ url, headers: HEADERS }), url));
      }
    }

    /** The queries of a list: required parameters, alone and with every other parameter. */
    function questions(): WalkParams[] {
      const { bases, values, isRefused = () => false } = cases[name]!;
      const filters = Object.entries(values).filter(([each]) => !/^(?:limit|offset|cursor|sort)$/.test(each));
      const all = bases.flatMap((base) => [
        base,
        ...filters.flatMap(([each, choices]) => choices.map((value) => ({ ...base, [each]: value }))),
      ]);
      const good = all.filter((params) => !isRefused(params));
      if (!('sort' in parameters)) return good;
      // Each filter in one direction; queries without filters in both.
      const sorted = good.map((params, at) => ({ ...params, sort: at % 2 === 0 ? 'desc' : 'asc' }));
      return [...sorted, ...bases.map((base) => ({ ...base, sort: 'asc' }))];
    }

    /** Sample pages of a list. */
    async function checkSome(params: WalkParams, rows: readonly string[]): Promise<void> {
      const middle = Math.floor(rows.length / 2);
      const { next, rows: found } = await page({ ...params, limit: 3, offset: middle });
      expect(found, JSON.stringify(params)).toEqual(rows.slice(middle, middle + 3));
      if (next === undefined) return;
      const url = `/api/v3/${name}?${next}`;
      const further = read(await walk.app.inject({ url, headers: HEADERS }), url);
      expect(further.rows, url).toEqual(rows.slice(middle + 3, middle + 6));
    }

    it('pages of any size add up to the list', async () => {
      const wholes: { params: WalkParams; rows: string[] }[] = [];
      for (const params of sampleOf(questions(), 3)) {
        const { rows } = await page({ ...params, limit: WHOLE });
        expect(new Set(rows).size, JSON.stringify(params)).toBe(rows.length);
        wholes.push({ params, rows });
      }
      for (const { params, rows } of wholes) await checkSome(params, rows);
      const sorted = wholes
        .filter(({ rows }) => rows.length > 0)
        .toSorted((a, b) => b.rows.length - a.rows.length);
      const short = sorted.filter(({ rows }) => rows.length <= MAX_SINGLE_ROWS);
      // Of filters with the same rows, one is read to the end.
      const different = [...new Map(short.map((whole) => [whole.rows.join(), whole])).values()];
      const longest = sorted[0]!;
      const single = short[0] ?? sorted.at(-1)!;
      const walks = [
        ...sampled([], different).map((whole) => ({ ...whole, limit: 7 })),
        { ...longest, limit: sampled(23, 7) },
        ...sampled([], [{ ...single, limit: 3 }]),
        { ...single, limit: 1 },
      ];
      for (const { params, rows, limit } of walks) {
        const what = JSON.stringify({ ...params, limit });
        expect(await byOffset(params, limit), what).toEqual(rows);
        expect(await byLinks(params, limit), what).toEqual(rows);
      }
    });

    it('pages start at any offset and end after the last row', async () => {
      const params = questions()[0]!;
      const { rows } = await page({ ...params, limit: WHOLE });
      for (const offset of sampled(
        [1, rows.length, 2 ** 31 - 1],
        [0, 1, rows.length - 1, rows.length, rows.length + 5, 2 ** 31 - 1],
      ))
        expect((await page({ ...params, limit: 2, offset })).rows, `${offset}`).toEqual(
          rows.slice(offset, offset + 2),
        );
      const { next } = await page({ ...params, limit: 1 });
      const cursor = new URLSearchParams(next).get('cursor');
      expect((await page({ ...params, limit: 2, offset: 1, cursor })).rows).toEqual(rows.slice(2, 4));
    });
  });

  it('of a long query have a cursor instead of a link', async () => {
    const nobody = Array.from({ length: 100 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`);
    const query = nobody.map((account) => `exclude_account=${account}`).join('&');
    const whole = await walk.app.inject({ url: `/api/v3/transactions?limit=4&${query}`, headers: HEADERS });
    const half = await walk.app.inject({ url: `/api/v3/transactions?limit=2&${query}`, headers: HEADERS });
    expect(half.headers.link).toBeUndefined();
    const cursor = half.headers['x-tongate-next-cursor'];
    const url = `/api/v3/transactions?limit=2&cursor=${cursor}&${query}`;
    const rest = await walk.app.inject({ url, headers: HEADERS });
    expect([...half.json().transactions, ...rest.json().transactions]).toEqual(whole.json().transactions);

    const post = (payload: object) =>
      walk.app.inject({ method: 'POST', url: '/api/v3/transactions', headers: HEADERS, payload });
    const first = await post({ limit: 2, exclude_account: nobody });
    expect([first.json(), first.headers.link]).toEqual([half.json(), undefined]);
    expect(first.headers['x-tongate-next-cursor']).toBe(cursor);
    expect((await post({ limit: 2, exclude_account: nobody, cursor })).json()).toEqual(rest.json());
  });
});
