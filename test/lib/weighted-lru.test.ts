import { expect, test } from 'vitest';
import { WeightedLru } from '../../src/lib/weighted-lru.ts';

test('what was not used for the longest time goes first', () => {
  const map = new WeightedLru<number>(30);
  map.set('a', 1, 10);
  map.set('b', 2, 10);
  map.set('c', 3, 10);
  expect(map.get('a')).toBe(1);
  map.set('d', 4, 10);
  expect([map.get('a'), map.get('b'), map.get('c'), map.get('d')]).toEqual([1, undefined, 3, 4]);
  expect(map.size).toBe(3);
});

test('a heavy entry takes the place of several; one that is too heavy is not kept', () => {
  const map = new WeightedLru<number>(30);
  for (const key of ['a', 'b', 'c']) map.set(key, 0, 10);
  map.set('b', 1, 25);
  expect([map.has('a'), map.has('b'), map.has('c')]).toEqual([false, true, false]);
  map.set('b', 2, 31);
  expect(map.size).toBe(0);
});
