import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { type AnswerCacheOptions, createAnswerCache } from '../../../src/v2/cache/answer-cache.ts';
import { headAnswer, lastingAnswer } from '../../../src/v2/cache/kept-answer.ts';
import { createFakeChain } from '../../support/fake-chain/fake-chain.ts';

const NOW_MS = 1000;
const LATER_MS = 11_000;
const chain = createFakeChain(100);

function stage(options?: AnswerCacheOptions) {
  const cache = createAnswerCache(options);
  const pool: { head: BlockId | undefined } = { head: chain.block(10) };
  const find = (key: string) => cache.at(pool).find(key, NOW_MS)?.json;
  const keepForNow = (key: string, json: string) => cache.at(pool).keep(key, headAnswer(json, LATER_MS), []);
  const keepForGood = (key: string, json: string) => cache.at(pool).keep(key, lastingAnswer(json), []);
  return { cache, pool, find, keepForNow, keepForGood };
}

describe('answers at the head', () => {
  it('end with the head, those that last do not', () => {
    const { pool, find, keepForNow, keepForGood } = stage();
    keepForNow('now', '1');
    keepForGood('ever', '2');
    expect([find('now'), find('ever')]).toEqual(['1', '2']);
    pool.head = chain.block(11);
    expect([find('now'), find('ever')]).toEqual([undefined, '2']);
  });

  it('are those of one pool', () => {
    const { cache, find, keepForNow, keepForGood } = stage();
    keepForNow('now', '1');
    keepForGood('ever', '2');
    const other = cache.at({ head: chain.block(10) });
    expect(other.find('now', NOW_MS)).toBeUndefined();
    expect(other.find('ever', NOW_MS)?.json).toBe('2');
    expect(find('now')).toBe('1');
  });

  it('are not kept before there is a head', () => {
    const { pool, find, keepForNow } = stage();
    pool.head = undefined;
    keepForNow('now', '1');
    expect(find('now')).toBeUndefined();
  });

  it('are kept if all that was read is of the head', () => {
    const { cache, pool, find } = stage();
    const at = (seqno: number) => ({ workers: [0], reference: { ...chain.block(seqno) } });
    const keep = (key: string, bound: Parameters<ReturnType<typeof cache.at>['keep']>[2]) =>
      cache.at(pool).keep(key, headAnswer('1', LATER_MS), bound);
    keep('same', [at(10), { workers: [1] }]);
    keep('before', [at(9)]);
    keep('mixed', [at(10), at(9)]);
    keep('after', [at(11)]);
    expect(['same', 'before', 'mixed', 'after'].map(find)).toEqual(['1', undefined, undefined, undefined]);
  });
});

describe('a chain that begins anew', () => {
  it.each([
    ['goes back', chain.block(5)],
    ['has another block of the same number', createFakeChain(100, 'other').block(10)],
    ['has no block yet', undefined],
  ])('is noticed when it %s', (_title, head) => {
    const { pool, find, keepForGood } = stage();
    keepForGood('ever', '2');
    pool.head = head;
    expect(find('ever')).toBeUndefined();
    pool.head = chain.block(200);
    expect(find('ever')).toBeUndefined();
  });

  it('gets no answer of work that began before', () => {
    const { cache, pool, find } = stage();
    const era = cache.at(pool);
    cache.clear();
    era.keep('now', headAnswer('1', LATER_MS), []);
    era.keep('ever', lastingAnswer('2'), []);
    expect([find('now'), find('ever')]).toEqual([undefined, undefined]);
  });
});

describe('memory', () => {
  const json = 'x'.repeat(1000);
  const keys = Array.from({ length: 100 }, (_, n) => `key ${n}`);

  it('is bounded for answers at the head: the oldest go', () => {
    const { find, keepForNow } = stage({ headBytes: 13_000 });
    for (const key of keys) keepForNow(key, json);
    expect(keys.filter(find)).toEqual(keys.slice(-10));
    for (let round = 0; round < 100; round += 1) keepForNow('key 99', json);
    expect(keys.filter(find)).toEqual(keys.slice(-10));
  });

  it('is bounded for answers that last: those that nobody asks for go', () => {
    const { find, keepForGood } = stage({ lastingBytes: 13_000 });
    for (const key of keys) {
      keepForGood(key, json);
      find('key 0');
    }
    expect(keys.filter(find)).toEqual(['key 0', ...keys.slice(-9)]);
  });

  it('is not spent on one long answer', () => {
    const { find, keepForNow, keepForGood } = stage({ answerBytes: 1000 });
    keepForNow('now', json);
    keepForGood('ever', json);
    expect([find('now'), find('ever')]).toEqual([undefined, undefined]);
  });
});
