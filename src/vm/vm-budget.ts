import { Failure } from '../lib/errors.ts';
import type { Payer } from '../lib/payer.ts';
import { createPayerBudget, type PayerBudget } from '../lib/payer-budget.ts';

/** The caller has used up its time of the virtual machine. */
export class VmTimeSpent extends Failure {
  constructor(retryAfterSeconds: number) {
    super('rate_limited', 'Ratelimit exceeded: the TVM time of this caller is used up', {
      retryAfterSeconds,
    });
  }
}

interface VmBudgetOptions {
  /** Milliseconds per second, per request a second that a payer may make; undefined for no limit. */
  readonly msPerRps: number | undefined;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Unused time is saved for this long. */
const SAVED_SECONDS = 20;
/** The slowest payer too can run a get-method that uses all its gas, which takes 1 to 4 s. */
const MIN_SAVED_MS = 4000;
/** Of a usual emulation. */
const EXPECTED_MS = 20;

/** Creates the budget that all runs of a process draw on, whatever operation they are for. */
export function createVmBudget({ msPerRps, now }: VmBudgetOptions): PayerBudget {
  return createPayerBudget({
    unitsPerRps: msPerRps,
    savedSeconds: SAVED_SECONDS,
    minSaved: MIN_SAVED_MS,
    expected: EXPECTED_MS,
    now,
  });
}

/**
 * Throws if a payer has no time left. It is asked before the work of a call begins: a call that has begun goes on, and
 * what it takes more is owed. Without a payer it is work of our own.
 */
export function checkVmBudget(budget: PayerBudget, payer: Payer | undefined): void {
  const seconds = payer === undefined ? 0 : budget.retrySeconds(payer);
  if (seconds > 0) throw new VmTimeSpent(seconds);
}
