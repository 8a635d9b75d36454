import type { JudgedBatch } from './detection.ts';
import { Undecided } from './undecided.ts';

/** The time of one batch. */
export class BatchScope {
  /** Ends everything when time is over, or nobody wants the verdicts any more. */
  readonly limit: AbortSignal;
  readonly #signal: AbortSignal;
  readonly #deadlineMs: number;

  constructor({ signal, timeoutMs }: Pick<JudgedBatch, 'signal' | 'timeoutMs'>) {
    this.#signal = signal;
    this.#deadlineMs = performance.now() + timeoutMs;
    this.limit = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, timeoutMs))]);
  }

  /** Milliseconds that are left; throws Undecided when there are none. */
  left(): number {
    const leftMs = this.#deadlineMs - performance.now();
    if (this.limit.aborted || leftMs <= 0) throw this.undecided();
    return leftMs;
  }

  /** What to throw when something could not be had: the reason of the caller if he gave up, else Undecided. */
  undecided(cause?: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    return cause instanceof Undecided ? cause : new Undecided('not to be found out now', { cause });
  }
}
