import { describe, expect, it } from 'vitest';
import { createPayerBudget } from '../../src/lib/payer-budget.ts';

const KEY = { id: 'k:1', rps: 10 };
const OPTIONS = { unitsPerRps: 50, savedSeconds: 20, minSaved: 1000, expected: 20 };
const ANONYMOUS = { id: 'a:10.0.0.1', rps: 1 };

function openBudget(maxPayers?: number) {
  let time = 0;
  const budget = createPayerBudget({ ...OPTIONS, now: () => time, maxPayers });
  return {
    budget,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe('payer budget', () => {
  it('refills in proportion to the rate of the payer', () => {
    const { budget, pass } = openBudget();
    const first = budget.acquire(KEY)!;
    // Saved: 20 s at 500 each.
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

  it('has a least saving for every payer, and charges what is under way', () => {
    const { budget } = openBudget();
    const permits = Array.from({ length: 100 }, () => budget.acquire(ANONYMOUS)).filter(
      (one) => one !== undefined,
    );
    // 1000, with 20 charged for each until its cost is known.
    expect(permits).toHaveLength(50);
    for (const permit of permits) permit.charge(10);
    expect(budget.acquire(ANONYMOUS)).toBeDefined();
  });

  it('counts what is expected until it is known, and gives back what was not used', () => {
    const { budget } = openBudget();
    const permit = budget.acquire(ANONYMOUS)!;
    permit.expect(3000);
    expect(budget.retrySeconds(ANONYMOUS)).toBe(41);
    permit.expect(1500);
    expect(budget.retrySeconds(ANONYMOUS)).toBe(11);
    permit.charge(900);
    expect(budget.retrySeconds(ANONYMOUS)).toBe(0);
    budget.acquire(ANONYMOUS)!.charge(100);
    expect(budget.acquire(ANONYMOUS)).toBeUndefined();
  });

  it('is shared by unknown payers', () => {
    const { budget } = openBudget();
    budget.acquire(undefined)!.charge(2000);
    expect(budget.acquire(undefined)).toBeUndefined();
  });

  it('has no limit without a rate', () => {
    const budget = createPayerBudget({ ...OPTIONS, unitsPerRps: undefined });
    for (let i = 0; i < 10; i++) budget.acquire(ANONYMOUS)!.charge(1_000_000);
    expect(budget.acquire(ANONYMOUS)).toBeDefined();
    expect(budget.retrySeconds(ANONYMOUS)).toBe(0);
  });

  it('keeps what was used when the rate of a payer changes', () => {
    const { budget, pass } = openBudget();
    budget.acquire(KEY)!.charge(11_000);
    expect(budget.acquire({ ...KEY, rps: 100 })).toBeUndefined();
    pass(1000);
    expect(budget.acquire({ ...KEY, rps: 100 })).toBeDefined();
  });

  it('remembers a limited number of payers', () => {
    const { budget } = openBudget(10);
    budget.acquire({ id: 'first', rps: 1 })!.charge(5000);
    for (let i = 0; i < 100; i++) budget.acquire({ id: `${i}`, rps: 1 });
    // It was forgotten, which is better than unbounded memory.
    expect(budget.acquire({ id: 'first', rps: 1 })).toBeDefined();
  });
});
