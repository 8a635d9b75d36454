import { describe, expect, it } from 'vitest';
import { backOffDelay, createBackOff } from '../../src/lib/back-off.ts';

describe('createBackOff', () => {
  it('doubles the delay up to the limit and starts over after a reset', () => {
    const backOff = createBackOff({ firstMs: 200, maxMs: 60_000, random: () => 1 });
    const delays = Array.from({ length: 11 }, () => backOff.next());
    expect(delays).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000]);
    backOff.reset();
    expect(backOff.next()).toBe(200);
  });

  it('spreads delays between half and all of their length', () => {
    const chances = [0, 0.5, 0.999];
    const backOff = createBackOff({ firstMs: 100, maxMs: 100, random: () => chances.shift() ?? 0 });
    expect([backOff.next(), backOff.next(), backOff.next()].map(Math.round)).toEqual([50, 75, 100]);
  });
});

describe('backOffDelay', () => {
  it('doubles from the first attempt on and never exceeds the maximum', () => {
    expect([1, 2, 3, 4, 5000].map((attempt) => backOffDelay(attempt, 30, 200))).toEqual([
      30, 60, 120, 200, 200,
    ]);
  });
});
