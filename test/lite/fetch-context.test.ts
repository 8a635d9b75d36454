import { expect, test } from 'vitest';
import { LiteTimeout } from '../../src/lite/errors.ts';
import { FetchGate } from '../../src/lite/fetch-context.ts';

test('FetchGate limits concurrent fetches and serves the others in order', async () => {
  const gate = new FetchGate(3);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const work = async (n: number) => {
    order.push(n);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
    return n;
  };
  const results = await Promise.all(Array.from({ length: 10 }, (_, n) => gate.run(() => work(n))));
  expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(order).toEqual(results);
  expect(most).toBe(3);
});

test('FetchGate lowers its limit on timeouts and raises it on success', async () => {
  const gate = new FetchGate(20);
  const late = () => Promise.reject(new LiteTimeout());
  for (let i = 0; i < 10; i++) await expect(gate.run(late)).rejects.toThrow(LiteTimeout);
  expect(gate.limit).toBe(2);
  await expect(gate.run(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
  for (let i = 0; i < 300; i++) await gate.run(async () => i);
  expect(gate.limit).toBe(20);
});
