/** Lets so many things pass per second, with bursts. */
export class RateGate {
  readonly #perSecond: number;
  readonly #max: number;
  #tokens: number;
  #filledMs = performance.now();

  constructor(perSecond: number, burstSeconds: number) {
    this.#perSecond = perSecond;
    this.#max = perSecond * burstSeconds;
    this.#tokens = this.#max;
  }

  /** Lets one thing through, or several at once, which the next ones may have to wait for. */
  pass(count = 1): boolean {
    const now = performance.now();
    this.#tokens = Math.min(this.#max, this.#tokens + ((now - this.#filledMs) / 1000) * this.#perSecond);
    this.#filledMs = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= count;
    return true;
  }

  /** Milliseconds until one more may pass. */
  get waitMs(): number {
    return Math.max(1, ((1 - this.#tokens) / this.#perSecond) * 1000);
  }
}
