import { describe, expect, it } from 'vitest';
import { createEmulationBudget } from '../../src/pending/emulation-budget.ts';
import { createWorkQueue } from '../../src/pending/lifecycle.ts';

const KEY = { id: 'k:1', rps: 10 };
const ANONYMOUS = { id: 'a:10.0.0.1', rps: 1 };

function openBudget(maxPayers?: number) {
  let time = 0;
  const budget = createEmulationBudget({
    msPerRps: 50,
    maxMs: 5000,
    now: () => time,
    ...(maxPayers !== undefined && { maxPayers }),
  });
  return {
    budget,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe('the budget of emulations', () => {
  it('is what was saved up, then what comes back by and by, in proportion to the rate', () => {
    const { budget, pass } = openBudget();
    const first = budget.acquire(KEY)!;
    expect(first.maxMs).toBe(5000);
    // Twenty seconds of half a second each.
    first.spent(10_000);
    expect(budget.acquire(KEY)).toBeUndefined();
    expect(budget.retrySeconds(KEY)).toBe(1);
    // Nobody else pays for it.
    expect(budget.acquire({ id: 'k:2', rps: 10 })).toBeDefined();
    pass(1000);
    const second = budget.acquire(KEY)!;
    second.spent(2500);
    expect(budget.retrySeconds(KEY)).toBe(5);
    pass(4000);
    expect(budget.acquire(KEY)).toBeUndefined();
    pass(1000);
    expect(budget.acquire(KEY)).toBeDefined();
  });

  it('lets everybody begin, and counts what is under way', () => {
    const { budget } = openBudget();
    const leaves = Array.from({ length: 100 }, () => budget.acquire(ANONYMOUS)).filter(
      (one) => one !== undefined,
    );
    // A thousand milliseconds, each one taken for twenty until it is known.
    expect(leaves).toHaveLength(50);
    for (const leave of leaves) leave.spent(10);
    expect(budget.acquire(ANONYMOUS)).toBeDefined();
  });

  it('is shared by all that nobody knows', () => {
    const { budget } = openBudget();
    budget.acquire(undefined)!.spent(2000);
    expect(budget.acquire(undefined)).toBeUndefined();
  });

  it('has no bound where nobody counts', () => {
    const budget = createEmulationBudget({ msPerRps: undefined, maxMs: 5000 });
    for (let i = 0; i < 10; i++) budget.acquire(ANONYMOUS)!.spent(1_000_000);
    expect([budget.acquire(ANONYMOUS)!.maxMs, budget.retrySeconds(ANONYMOUS)]).toEqual([5000, 0]);
  });

  it('keeps so many callers in mind and no more', () => {
    const { budget } = openBudget(10);
    budget.acquire({ id: 'first', rps: 1 })!.spent(5000);
    for (let i = 0; i < 100; i++) budget.acquire({ id: `${i}`, rps: 1 });
    // It was forgotten, which is the lesser evil.
    expect(budget.acquire({ id: 'first', rps: 1 })).toBeDefined();
  });
});

describe('a waiting line', () => {
  it('works on so many at once, in the order in which they came, and takes no more than it has room for', async () => {
    const begun: number[] = [];
    const ends = new Map<number, () => void>();
    const line = createWorkQueue<number>(2, (item) => {
      begun.push(item);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(item, resolve);
      return promise;
    });
    const taken = [1, 2, 3, 4, 5, 6].map((item) => line.add(item, 3));
    expect(taken).toEqual([true, true, true, true, true, false]);
    expect([begun, line.size]).toEqual([[1, 2], 3]);
    ends.get(2)!();
    await Promise.resolve();
    await new Promise(setImmediate);
    expect(begun).toEqual([1, 2, 3]);
    line.clear();
    for (const end of ends.values()) end();
    await new Promise(setImmediate);
    expect([begun, line.size]).toEqual([[1, 2, 3], 0]);
  });
});
