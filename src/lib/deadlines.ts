/** Somebody who waits until a moment, on the clock of `performance.now`. */
export interface Waiting {
  readonly deadlineMs: number;
  /** Called once when the moment has come, unless it has left before. */
  onDeadline(): void;
}

/** Moments this close together are handled at once, so that many who wait cost few looks at all of them. */
const STEP_MS = 20;

/** One timer for all who wait. Most leave long before their moment, and a timer for each would be made in vain. */
export class Deadlines {
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#waiting.size;
  }

  add(one: Waiting): void {
    this.#waiting.add(one);
    this.#wakeAt(one.deadlineMs);
  }

  delete(one: Waiting): void {
    this.#waiting.delete(one);
  }

  #wakeAt(atMs: number): void {
    if (atMs >= this.#timerAtMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    const pauseMs = Math.max(STEP_MS, atMs - performance.now());
    this.#timer = setTimeout(() => this.#look(), pauseMs).unref();
  }

  #look(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    const nowMs = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const one of this.#waiting) {
      if (one.deadlineMs > nowMs) next = Math.min(next, one.deadlineMs);
      else {
        this.#waiting.delete(one);
        one.onDeadline();
      }
    }
    if (next !== Number.POSITIVE_INFINITY) this.#wakeAt(next);
  }
}
