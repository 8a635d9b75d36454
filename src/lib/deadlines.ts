/** Waits until a deadline on the clock of `performance.now`. */
export interface DeadlineWaiter {
  readonly deadlineMs: number;
  /** Called once at the deadline, unless the waiter was deleted before. */
  onDeadline(): void;
}

/** Deadlines this close together are handled at once, so that many waiters cost few sweeps. */
const STEP_MS = 20;

/** One timer for all waiters. Most are deleted long before their deadline, so a timer for each would be wasted. */
export class Deadlines {
  readonly #waiters = new Set<DeadlineWaiter>();
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#waiters.size;
  }

  add(waiter: DeadlineWaiter): void {
    this.#waiters.add(waiter);
    this.#wakeAt(waiter.deadlineMs);
  }

  delete(waiter: DeadlineWaiter): void {
    this.#waiters.delete(waiter);
  }

  #wakeAt(atMs: number): void {
    if (atMs >= this.#timerAtMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    const pauseMs = Math.max(STEP_MS, atMs - performance.now());
    this.#timer = setTimeout(() => this.#sweep(), pauseMs).unref();
  }

  #sweep(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    const nowMs = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiters) {
      if (waiter.deadlineMs > nowMs) next = Math.min(next, waiter.deadlineMs);
      else {
        this.#waiters.delete(waiter);
        waiter.onDeadline();
      }
    }
    if (next !== Number.POSITIVE_INFINITY) this.#wakeAt(next);
  }
}
