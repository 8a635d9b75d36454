import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../src/chain/block-id.ts';
import {
  createRequestKey,
  createResultCache,
  headResult,
  immutableResult,
  type ResultCacheOptions,
} from '../../src/v2/cache.ts';
import { optionalInt32 } from '../../src/v2/parameters.ts';
import { createFakeChain } from '../support/fake-chain.ts';

const NOW_MS = 1000;
const LATER_MS = 11_000;
const chain = createFakeChain(100);

function stage(options?: ResultCacheOptions) {
  const cache = createResultCache(options);
  const pool: { head: BlockId | undefined } = { head: chain.block(10) };
  const find = (key: string) => cache.at(pool).find(key, NOW_MS)?.json;
  const keepForNow = (key: string, json: string) => cache.at(pool).keep(key, headResult(json, LATER_MS), []);
  const keepForGood = (key: string, json: string) => cache.at(pool).keep(key, immutableResult(json), []);
  return { cache, pool, find, keepForNow, keepForGood };
}

describe('head cache', () => {
  it('drops head entries with the head and keeps immutable ones', () => {
    const { pool, find, keepForNow, keepForGood } = stage();
    keepForNow('now', '1');
    keepForGood('ever', '2');
    expect([find('now'), find('ever')]).toEqual(['1', '2']);
    pool.head = chain.block(11);
    expect([find('now'), find('ever')]).toEqual([undefined, '2']);
  });

  it('is separate for each pool', () => {
    const { cache, find, keepForNow, keepForGood } = stage();
    keepForNow('now', '1');
    keepForGood('ever', '2');
    const other = cache.at({ head: chain.block(10) });
    expect(other.find('now', NOW_MS)).toBeUndefined();
    expect(other.find('ever', NOW_MS)?.json).toBe('2');
    expect(find('now')).toBe('1');
  });

  it('keeps nothing before there is a head', () => {
    const { pool, find, keepForNow } = stage();
    pool.head = undefined;
    keepForNow('now', '1');
    expect(find('now')).toBeUndefined();
  });

  it('keeps results that were read at the head only', () => {
    const { cache, pool, find } = stage();
    const at = (seqno: number) => ({ workers: [0], reference: { ...chain.block(seqno) } });
    const keep = (key: string, bound: Parameters<ReturnType<typeof cache.at>['keep']>[2]) =>
      cache.at(pool).keep(key, headResult('1', LATER_MS), bound);
    keep('same', [at(10), { workers: [1] }]);
    keep('before', [at(9)]);
    keep('mixed', [at(10), at(9)]);
    keep('after', [at(11)]);
    expect(['same', 'before', 'mixed', 'after'].map(find)).toEqual(['1', undefined, undefined, undefined]);
  });
});

describe('a chain that was reset', () => {
  it.each([
    ['goes back', chain.block(5)],
    ['has another block of the same number', createFakeChain(100, 'other').block(10)],
    ['has no block yet', undefined],
  ])('is detected when it %s', (_title, head) => {
    const { pool, find, keepForGood } = stage();
    keepForGood('ever', '2');
    pool.head = head;
    expect(find('ever')).toBeUndefined();
    pool.head = chain.block(200);
    expect(find('ever')).toBeUndefined();
  });

  it('does not get results of earlier work', () => {
    const { cache, pool, find } = stage();
    const era = cache.at(pool);
    cache.clear();
    era.keep('now', headResult('1', LATER_MS), []);
    era.keep('ever', immutableResult('2'), []);
    expect([find('now'), find('ever')]).toEqual([undefined, undefined]);
  });
});

describe('cache memory', () => {
  const json = 'x'.repeat(1000);
  const keys = Array.from({ length: 100 }, (_, n) => `key ${n}`);

  it('is bounded for head entries: the oldest go', () => {
    const { find, keepForNow } = stage({ headBytes: 13_000 });
    for (const key of keys) keepForNow(key, json);
    expect(keys.filter(find)).toEqual(keys.slice(-10));
    for (let round = 0; round < 100; round += 1) keepForNow('key 99', json);
    expect(keys.filter(find)).toEqual(keys.slice(-10));
  });

  it('is bounded for immutable entries: the least recently used go', () => {
    const { find, keepForGood } = stage({ immutableBytes: 13_000 });
    for (const key of keys) {
      keepForGood(key, json);
      find('key 0');
    }
    expect(keys.filter(find)).toEqual(['key 0', ...keys.slice(-9)]);
  });

  it('is not used for one long result', () => {
    const { find, keepForNow, keepForGood } = stage({ resultBytes: 1000 });
    keepForNow('now', json);
    keepForGood('ever', json);
    expect([find('now'), find('ever')]).toEqual([undefined, undefined]);
  });
});

const any = optionalInt32('', {});
const keyOf = createRequestKey({ name: 'op', parameters: { a: any, b: any } });

describe('createRequestKey', () => {
  it.each([
    ['a number and its digits', { a: 12 }, { a: '12' }],
    ['a large number and its digits', { a: -9223372036854775808n }, { a: '-9223372036854775808' }],
    ['a word and the value it stands for', { a: true }, { a: 'true' }],
    ['another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['nothing, undefined and null', { b: 2 }, { a: null, b: 2 }],
    ['names that the operation does not know', { a: 1 }, { a: 1, _: 5, api_key: 'x' }],
    ['names that every object has', {}, { toString: 1, constructor: 2 }],
    ['equal lists', { a: ['x', ['y', 1n]] }, { a: ['x', ['y', 1]] }],
  ])('is the same for %s', (_title, one, other) => {
    expect(keyOf(other, 'body')).toBe(keyOf(one, 'body'));
  });

  it.each([
    ['other values', { a: 1 }, { a: 2 }],
    ['other names', { a: 1 }, { b: 1 }],
    ['nothing and an empty text', {}, { a: '' }],
    ['a value that looks like two', { a: '1', b: '2' }, { a: '1\n1:1:2' }],
    ['a list and its text', { a: ['x'] }, { a: 'body["x"]' }],
    ['a number and its digits inside a list', { a: [1] }, { a: ['1'] }],
    ['digits that a double would lose', { a: [9007199254740993n] }, { a: [9007199254740992n] }],
  ])('differs for %s', (_title, one, other) => {
    expect(keyOf(other, 'body')).not.toBe(keyOf(one, 'body'));
  });

  it('differs for a list in a query string, of which only the first may count', () => {
    expect(keyOf({ a: ['x', 'y'] }, 'query')).not.toBe(keyOf({ a: ['x', 'y'] }, 'body'));
    expect(keyOf({ a: 'x' }, 'query')).toBe(keyOf({ a: 'x' }, 'body'));
  });

  it('differs between operations', () => {
    expect(createRequestKey({ name: 'other', parameters: { a: any } })({ a: 1 }, 'body')).not.toBe(
      keyOf({ a: 1 }, 'body'),
    );
  });

  it('is short, however long the values are', () => {
    const long = 'x'.repeat(100_000);
    expect(keyOf({ a: long }, 'body').length).toBeLessThan(100);
    expect(keyOf({ a: long }, 'body')).not.toBe(keyOf({ a: `${long}x` }, 'body'));
  });

  it('is equal for equal values only', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant('1\n0:1:1'), fc.array(fc.string()));
    const values = fc.record({ a: value, b: value });
    const textOf = (given: unknown) =>
      typeof given === 'object' ? `list ${JSON.stringify(given)}` : `text ${given}`;
    fc.assert(
      fc.property(values, values, (one, other) => {
        const isSame = textOf(one.a) === textOf(other.a) && textOf(one.b) === textOf(other.b);
        expect(keyOf(one, 'body') === keyOf(other, 'body')).toBe(isSame);
      }),
    );
  });
});
