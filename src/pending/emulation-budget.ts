import { type BudgetPermit, createPayerBudget, type PayerBudget } from '../lib/payer-budget.ts';

/** The right to emulate once; charged in milliseconds. */
export interface EmulationPermit extends BudgetPermit {
  readonly maxMs: number;
}

/** How much emulation time each payer may use. */
export interface EmulationBudget extends PayerBudget {
  acquire(...args: Parameters<PayerBudget['acquire']>): EmulationPermit | undefined;
}

interface BudgetOptions {
  /** Emulation milliseconds per second, per request a second that a payer may make; undefined for no limit. */
  readonly msPerRps: number | undefined;
  /** Of one emulation. */
  readonly maxMs: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Payers that are remembered. */
  readonly maxPayers?: number;
}

/** Creates a budget of emulation time. */
export function createEmulationBudget(options: BudgetOptions): EmulationBudget {
  const { msPerRps, maxMs, now, maxPayers } = options;
  const { acquire, retrySeconds } = createPayerBudget({
    unitsPerRps: msPerRps,
    savedSeconds: 20,
    minSaved: 1000,
    // A usual emulation.
    expected: 20,
    now,
    maxPayers,
  });
  return {
    acquire(payer) {
      const permit = acquire(payer);
      return permit && { ...permit, maxMs };
    },
    retrySeconds,
  };
}
