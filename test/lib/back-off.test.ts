import { expect, it } from 'vitest';
import { createBackOff } from '../../src/lib/back-off.ts';

it('pauses double up to the limit, and start anew after a reset', () => {
  const backOff = createBackOff({ firstMs: 200, maxMs: 60_000, random: () => 1 });
  const pauses = Array.from({ length: 11 }, () => backOff.next());
  expect(pauses).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000]);
  backOff.reset();
  expect(backOff.next()).toBe(200);
});

it('pauses are spread over half of their length', () => {
  const chances = [0, 0.5, 0.999];
  const backOff = createBackOff({ firstMs: 100, maxMs: 100, random: () => chances.shift() ?? 0 });
  expect([backOff.next(), backOff.next(), backOff.next()].map(Math.round)).toEqual([50, 75, 100]);
});
