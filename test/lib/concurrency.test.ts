import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { mapAhead, mapInOrder } from '../../src/lib/concurrency.ts';

describe('mapInOrder', () => {
  it('keeps the order of the items and the limit of concurrent work', async () => {
    let running = 0;
    let most = 0;
    const results = await mapInOrder([5, 1, 4, 2, 3], 2, async (item, position) => {
      most = Math.max(most, ++running);
      for (let i = 0; i < item; i++) await Promise.resolve();
      running--;
      return `${position}:${item}`;
    });
    expect(results).toEqual(['0:5', '1:1', '2:4', '3:2', '4:3']);
    expect(most).toBe(2);
  });

  it('rejects when one item fails, and accepts an empty list', async () => {
    await expect(mapInOrder([1], 4, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await mapInOrder([], 4, () => Promise.reject(new Error('no')))).toEqual([]);
  });
});

async function* numbers(count: number): AsyncGenerator<number> {
  for (let i = 0; i < count; i++) yield i;
}

test('mapAhead keeps the order of results, whatever work is done first', async () => {
  const found: number[] = [];
  const work = async (n: number) => {
    for (let i = 0; i < (n % 3) * 2; i++) await turn();
    return n * 10;
  };
  for await (const one of mapAhead(numbers(20), { count: 4 }, work)) found.push(one);
  expect(found).toEqual(Array.from({ length: 20 }, (_, i) => i * 10));
});

test('mapAhead works up to its limits while the reader is busy', async () => {
  let started = 0;
  const work = async (n: number) => {
    started += 1;
    return n;
  };
  const results = mapAhead(numbers(100), { count: 5 }, work);
  await results.next();
  for (let i = 0; i < 50; i++) await turn();
  expect(started).toBe(6);
  await results.return(undefined);

  started = 0;
  const heavy = mapAhead(numbers(100), { count: 50, weight: 25, weigh: () => 10 }, work);
  await heavy.next();
  for (let i = 0; i < 50; i++) await turn();
  expect(started).toBeLessThanOrEqual(6);
  await heavy.return(undefined);
});

test('mapAhead counts the weight of items before their work is done', async () => {
  let started = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async (n: number) => {
    started += 1;
    await promise;
    return n;
  };
  const results = mapAhead(numbers(100), { count: 50, weight: 25, weighItem: () => 10 }, work);
  const first = results.next();
  for (let i = 0; i < 50; i++) await turn();
  expect(started).toBe(3);
  resolve();
  expect((await first).value).toBe(0);
  await results.return(undefined);
});

test('mapAhead throws a failure after the results before it', async () => {
  const found: number[] = [];
  const work = async (n: number) => {
    if (n === 3) throw new Error('no three');
    return n;
  };
  const reading = (async () => {
    for await (const one of mapAhead(numbers(10), { count: 8 }, work)) found.push(one);
  })();
  await expect(reading).rejects.toThrow('no three');
  expect(found).toEqual([0, 1, 2]);
});

test('mapAhead throws a failure of the source after the results of its items', async () => {
  async function* broken() {
    yield 1;
    throw new Error('the source dried up');
  }
  const results = mapAhead(broken(), { count: 3 }, async (n) => n);
  expect(await results.next()).toEqual({ value: 1, done: false });
  await expect(results.next()).rejects.toThrow('dried up');
});
