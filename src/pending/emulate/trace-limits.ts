/** How far an emulation goes. */
export interface TraceLimits {
  readonly transactions: number;
  /** Messages in a row, each caused by the one before. */
  readonly depth: number;
  /** Of all transactions together. */
  readonly gas: number;
  /** Transactions and account states that a trace keeps. */
  readonly bytes: number;
  /** Emulations at a time, and how many more may wait. */
  readonly running: number;
  readonly waiting: number;
}

/** Enough for nearly all traces of public networks, and little enough to bear many that are made to be long. */
export const TRACE_LIMITS: TraceLimits = {
  transactions: 256,
  depth: 64,
  gas: 20_000_000,
  bytes: 32 * 2 ** 20,
  running: 32,
  waiting: 2000,
};
