import { expect, test } from 'vitest';
import { BusyTime } from '../../src/lib/busy-time.ts';

test('BusyTime counts concurrent work once and idle time not at all', async () => {
  let nowMs = 0;
  let totalMs = 0;
  const busy = new BusyTime(
    (ms) => {
      totalMs += ms;
    },
    () => nowMs,
  );
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<string>();
  const one = busy.during(() => first.promise);
  nowMs = 10;
  const two = busy.during(() => second.promise);
  nowMs = 30;
  first.resolve();
  await one;
  expect(totalMs).toBe(30);
  nowMs = 35;
  second.resolve('done');
  expect(await two).toBe('done');
  expect(totalMs).toBe(35);
  nowMs = 1000;
  await expect(busy.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(totalMs).toBe(35);
});
