/** What was written a second, lately. */
export interface Rates {
  readonly seqnosPerSecond: number;
  readonly transactionsPerSecond: number;
}

interface Sample {
  readonly atMs: number;
  readonly seqnos: number;
  readonly transactions: number;
}

const SPAN_MS = 30_000;
const MAX_SAMPLES = 1000;

/** Counts what is written; `now` gives milliseconds that never go back. */
export class RateMeter {
  readonly #now: () => number;
  readonly #begunMs: number;
  #samples: Sample[] = [];

  constructor(now: () => number) {
    this.#now = now;
    this.#begunMs = now();
  }

  add(seqnos: number, transactions: number): void {
    this.#samples.push({ atMs: this.#now(), seqnos, transactions });
    if (this.#samples.length > MAX_SAMPLES) this.#merge();
  }

  /** Over the last 30 seconds, or since the beginning. */
  rates(): Rates {
    const nowMs = this.#now();
    const sinceMs = nowMs - SPAN_MS;
    this.#samples = this.#samples.filter(({ atMs }) => atMs > sinceMs);
    const seconds = Math.max(1, Math.min(SPAN_MS, nowMs - this.#begunMs) / 1000);
    let seqnos = 0;
    let transactions = 0;
    for (const one of this.#samples) {
      seqnos += one.seqnos;
      transactions += one.transactions;
    }
    return { seqnosPerSecond: seqnos / seconds, transactionsPerSecond: transactions / seconds };
  }

  /** Two and two samples become one, so that many small writes take no more memory than large ones. */
  #merge(): void {
    const merged: Sample[] = [];
    for (let i = 0; i < this.#samples.length; i += 2) {
      const a = this.#samples[i]!;
      const b = this.#samples[i + 1] ?? { atMs: a.atMs, seqnos: 0, transactions: 0 };
      const { atMs } = b;
      merged.push({ atMs, seqnos: a.seqnos + b.seqnos, transactions: a.transactions + b.transactions });
    }
    this.#samples = merged;
  }
}
