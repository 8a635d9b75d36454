const NEW_SHARE = 0.2;
/** A server that was slow and is therefore not asked must get another chance. */
const HALF_LIFE_MS = 10_000;
const LEAST_MS = 1;

/** How long a server takes to answer: a moving average that fades when nothing is asked. */
export class Latency {
  #averageMs = 0;
  #atMs = 0;

  add(tookMs: number, nowMs: number): void {
    this.#averageMs = this.#atMs === 0 ? tookMs : this.#averageMs + NEW_SHARE * (tookMs - this.#averageMs);
    this.#atMs = nowMs;
  }

  /** The average of the latest answers; 0 before the first. */
  get averageMs(): number {
    return this.#averageMs;
  }

  /** What the next answer is expected to take. */
  expectedMs(nowMs: number): number {
    return Math.max(LEAST_MS, this.#averageMs * 2 ** ((this.#atMs - nowMs) / HALF_LIFE_MS));
  }
}
