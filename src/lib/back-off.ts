/** How long to wait between attempts. */
interface BackOffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A number from 0 to 1, 1 excluded. */
  readonly random: () => number;
}

/** Pauses that double from one to the next up to a limit. */
interface BackOff {
  /** The next pause: between half of it and all of it, so that many clients do not come back in step. */
  next(): number;
  /** Makes the next pause the first one again. */
  reset(): void;
}

/** Starts with the first pause. */
export function createBackOff({ firstMs, maxMs, random }: BackOffOptions): BackOff {
  let pauseMs = firstMs;
  return {
    next() {
      const nextMs = pauseMs * (0.5 + random() / 2);
      pauseMs = Math.min(pauseMs * 2, maxMs);
      return nextMs;
    },
    reset() {
      pauseMs = firstMs;
    },
  };
}
