import { describe, expect, it } from 'vitest';
import { createWorkQueue } from '../../src/pending/work-queue.ts';

describe('work queue', () => {
  it('works on a limited number of items in order, and rejects items when it is full', async () => {
    const started: number[] = [];
    const ends = new Map<number, () => void>();
    const queue = createWorkQueue<number>(2, (item) => {
      started.push(item);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(item, resolve);
      return promise;
    });
    const added = [1, 2, 3, 4, 5, 6].map((item) => queue.add(item, 3));
    expect(added).toEqual([true, true, true, true, true, false]);
    expect([started, queue.size]).toEqual([[1, 2], 3]);
    ends.get(2)!();
    await Promise.resolve();
    await new Promise(setImmediate);
    expect(started).toEqual([1, 2, 3]);
    queue.clear();
    for (const end of ends.values()) end();
    await new Promise(setImmediate);
    expect([started, queue.size]).toEqual([[1, 2, 3], 0]);
  });
});
