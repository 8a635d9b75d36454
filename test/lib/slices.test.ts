import { describe, expect, it } from 'vitest';
import { eachInSlices, isSliceOver, mapInSlices, nextSlice, noteOtherWork } from '../../src/lib/slices.ts';

/** Holds the event loop until the slice of this turn is used up. */
function useUpSlice(): void {
  while (!isSliceOver());
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('slices', () => {
  it('map and visit all items in their order', async () => {
    const items = Array.from({ length: 20 }, (_, at) => at);
    const visited: number[] = [];
    const work = (item: number) => {
      if (item % 5 === 0) useUpSlice();
      return item * 2;
    };
    expect(await mapInSlices(items, work)).toEqual(items.map((item) => item * 2));
    await eachInSlices(new Set(items), (item) => visited.push(work(item)));
    expect(visited).toEqual(items.map((item) => item * 2));
  });

  it('are taken by one list per turn of the event loop, in turns', async () => {
    const order: string[] = [];
    let turn = 0;
    let isDone = false;
    const count = (async () => {
      while (!isDone) {
        await nextTurn();
        turn += 1;
      }
    })();
    const list = (name: string) =>
      eachInSlices([1, 2, 3], (item) => {
        useUpSlice();
        order.push(`${turn} ${name}${item}`);
      });
    useUpSlice();
    await nextSlice();
    await Promise.all([list('a'), list('b')]);
    isDone = true;
    await count;
    expect(order.map((entry) => entry.split(' ')[1])).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    // The first two began in the same turn, in what was left of its slice.
    expect(new Set(order.slice(1).map((entry) => entry.split(' ')[0])).size).toBe(5);
  });

  it('end with the reason of an aborted signal', async () => {
    const abort = new AbortController();
    const seen: number[] = [];
    const visited = eachInSlices(
      [1, 2, 3],
      (item) => {
        seen.push(item);
        useUpSlice();
        abort.abort(new Error('gone'));
      },
      abort.signal,
    );
    await expect(visited).rejects.toThrow('gone');
    expect(seen).toEqual([1]);
  });

  it('leave time to other work', async () => {
    expect(await withOtherWork(['a', 'b', 'c'])).toEqual(['a', 'other', 'b', 'other', 'c', 'other']);
  });

  it('of a request leave time to other work only once it has taken long', async () => {
    const items = Array.from({ length: 30 }, (_, at) => `${at}`);
    const order = await withOtherWork(items, new AbortController().signal);
    const beginning = order.slice(0, order.indexOf('4'));
    const end = order.slice(order.indexOf('20'));
    // A busy machine may pause by itself, but not every time.
    expect(beginning.filter((entry) => entry === 'other').length).toBeLessThan(4);
    expect(end.filter((entry) => entry === 'other')).toHaveLength(end.length / 2);
  });
});

/** Visits items while other work arrives in every slice, and returns the order of both. */
async function withOtherWork(items: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const order: string[] = [];
  const visit = (item: string) => {
    order.push(item);
    useUpSlice();
    noteOtherWork(performance.now());
    // Without a pause the next slice would begin before it.
    setTimeout(() => order.push('other'), 1);
  };
  await eachInSlices(items, visit, signal);
  return order;
}
