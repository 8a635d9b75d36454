/** What came of asking as fast as answers came. */
export interface Load {
  readonly answers: number;
  readonly elapsedMs: number;
  /** How long each answer took, shortest first. */
  readonly latenciesMs: Float64Array;
  /** Answers that say themselves that they were not made for this request. */
  readonly cached: number;
}

/** How long, for how many answers at most, and how many at a time. */
export interface Pressure {
  readonly seconds: number;
  readonly answers: number;
  readonly concurrency: number;
}

/** Takes the times of a load while it lasts. */
export class Stopwatch {
  readonly #startedMs = performance.now();
  readonly #endMs: number;
  readonly #answers: number;
  readonly #latenciesMs: number[] = [];
  #lastMs = 0;
  cached = 0;

  constructor({ seconds, answers }: Pressure) {
    this.#endMs = this.#startedMs + seconds * 1000;
    this.#answers = answers;
  }

  /** Takes note of an answer; says whether there is to be another one. */
  stop(sinceMs: number): boolean {
    this.#lastMs = performance.now();
    this.#latenciesMs.push(this.#lastMs - sinceMs);
    return this.#lastMs < this.#endMs && this.#latenciesMs.length < this.#answers;
  }

  load(): Load {
    return {
      answers: this.#latenciesMs.length,
      elapsedMs: this.#lastMs - this.#startedMs,
      latenciesMs: Float64Array.from(this.#latenciesMs).sort(),
      cached: this.cached,
    };
  }
}

/** Does work again and again, so many at a time. */
export async function loadWith(work: () => Promise<unknown>, pressure: Pressure): Promise<Load> {
  const watch = new Stopwatch(pressure);
  const ask = async (): Promise<void> => {
    for (let goesOn = true; goesOn; ) {
      const sinceMs = performance.now();
      await work();
      goesOn = watch.stop(sinceMs);
    }
  };
  await Promise.all(Array.from({ length: pressure.concurrency }, ask));
  return watch.load();
}

/** The time in which a share of the answers came, in milliseconds. */
export function percentile({ latenciesMs }: Load, share: number): number {
  return latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))]!;
}
