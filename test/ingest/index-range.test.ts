import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inBatches } from '../../src/ingest/index-range.ts';

/** Items that are released by the test. */
function createSource() {
  const items: number[] = [];
  let wake = (): void => {};
  let isEnded = false;
  return {
    put(...more: number[]) {
      items.push(...more);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const next = items.shift();
        if (next !== undefined) yield next;
        else if (isEnded) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}

const full = (count: number) => (batch: readonly number[]) => batch.length >= count;

test('inBatches fills batches unless they are urgent', async () => {
  const source = createSource();
  const batches = inBatches(source, { isFull: full(3), isUrgent: () => false });
  const first = batches.next();
  source.put(1);
  source.put(2);
  source.put(3, 4);
  expect((await first).value).toEqual([1, 2, 3]);
  const last = batches.next();
  source.put(5);
  source.end();
  expect((await last).value).toEqual([4, 5]);
  expect((await batches.next()).done).toBe(true);
});

test('inBatches yields an urgent batch with the ready items and loses nothing', async () => {
  const source = createSource();
  const batches = inBatches(source, { isFull: full(10), isUrgent: () => true });
  source.put(1, 2, 3);
  expect((await batches.next()).value).toEqual([1, 2, 3]);
  const next = batches.next();
  source.put(4);
  expect((await next).value).toEqual([4]);
  source.put(5);
  source.end();
  expect((await batches.next()).value).toEqual([5]);
});

test('inBatches throws a failure of the source', async () => {
  async function* broken() {
    yield 1;
    throw new Error('broken');
  }
  const batches = inBatches(broken(), { isFull: full(1), isUrgent: () => false });
  expect((await batches.next()).value).toEqual([1]);
  await expect(batches.next()).rejects.toThrow('broken');
});

test('inBatches yields an old batch with the next item', async () => {
  const source = createSource();
  const batches = inBatches(source, { isFull: (_, ageMs) => ageMs >= 30, isUrgent: () => false });
  const first = batches.next();
  source.put(1);
  await sleep(40);
  source.put(2);
  expect((await first).value).toEqual([1, 2]);
});
