import { describe, expect, it } from 'vitest';
import { createEmulationBudget } from '../../src/pending/emulation-budget.ts';

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

describe('emulation budget', () => {
  it('refills in proportion to the rate of the payer', () => {
    const { budget, pass } = openBudget();
    const first = budget.acquire(KEY)!;
    expect(first.maxMs).toBe(5000);
    // Saved: 20 s at 500 ms each.
    first.charge(10_000);
    expect(budget.acquire(KEY)).toBeUndefined();
    expect(budget.retrySeconds(KEY)).toBe(1);
    // Other payers have their own.
    expect(budget.acquire({ id: 'k:2', rps: 10 })).toBeDefined();
    pass(1000);
    const second = budget.acquire(KEY)!;
    second.charge(2500);
    expect(budget.retrySeconds(KEY)).toBe(5);
    pass(4000);
    expect(budget.acquire(KEY)).toBeUndefined();
    pass(1000);
    expect(budget.acquire(KEY)).toBeDefined();
  });

  it('has at least a second for every payer, and charges emulations in flight', () => {
    const { budget } = openBudget();
    const leaves = Array.from({ length: 100 }, () => budget.acquire(ANONYMOUS)).filter(
      (one) => one !== undefined,
    );
    // 1000 ms, with 20 ms charged for each until its time is known.
    expect(leaves).toHaveLength(50);
    for (const leave of leaves) leave.charge(10);
    expect(budget.acquire(ANONYMOUS)).toBeDefined();
  });

  it('is shared by unknown payers', () => {
    const { budget } = openBudget();
    budget.acquire(undefined)!.charge(2000);
    expect(budget.acquire(undefined)).toBeUndefined();
  });

  it('has no limit without a rate', () => {
    const budget = createEmulationBudget({ msPerRps: undefined, maxMs: 5000 });
    for (let i = 0; i < 10; i++) budget.acquire(ANONYMOUS)!.charge(1_000_000);
    expect([budget.acquire(ANONYMOUS)!.maxMs, budget.retrySeconds(ANONYMOUS)]).toEqual([5000, 0]);
  });

  it('remembers a limited number of payers', () => {
    const { budget } = openBudget(10);
    budget.acquire({ id: 'first', rps: 1 })!.charge(5000);
    for (let i = 0; i < 100; i++) budget.acquire({ id: `${i}`, rps: 1 });
    // It was forgotten, which is better than unbounded memory.
    expect(budget.acquire({ id: 'first', rps: 1 })).toBeDefined();
  });
});
