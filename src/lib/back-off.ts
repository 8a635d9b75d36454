interface BackOffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A number from 0 to 1, 1 excluded. */
  readonly random?: () => number;
}

/** Creates delays that double from one attempt to the next up to a limit. */
export function createBackOff({ firstMs, maxMs, random = Math.random }: BackOffOptions) {
  let attempt = 0;
  return {
    /** The next delay, between half of it and all of it, so that many clients do not retry in step. */
    next(): number {
      attempt += 1;
      return backOffDelay(attempt, firstMs, maxMs) * (0.5 + random() / 2);
    },
    /** Starts over with the first delay. */
    reset(): void {
      attempt = 0;
    },
  };
}

/**
 * The delay after a number of attempts, counted from 1, without jitter and in the unit of `first` and `max`. For
 * callers that store the number of attempts themselves.
 */
export function backOffDelay(attempt: number, first: number, max: number): number {
  return Math.min(first * 2 ** (attempt - 1), max);
}
