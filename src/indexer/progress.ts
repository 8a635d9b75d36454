import { gapsBetween, type SeqnoRange } from './coverage.ts';

/** What was written a second, lately. */
interface Rates {
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
class RateMeter {
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

/**
 * What an indexer does: `waiting` for lite servers or the database, `following` the head, `catching-up` with it,
 * `standby` while another process follows it, `diverged` when the chain is not the one that was indexed, `stopped`
 * for good.
 */
type IndexerState = 'waiting' | 'following' | 'catching-up' | 'standby' | 'diverged' | 'stopped';

/** How far the index is. */
export interface IndexProgress {
  readonly state: IndexerState;
  /** The newest masterchain seqno of the chain, as far as is known. */
  readonly head: number | undefined;
  /** The newest one that is in the index. */
  readonly followed: number | undefined;
  /** Where the index begins. */
  readonly from: number | undefined;
  readonly indexedSeqnos: number;
  /** Ranges that are missing in between. */
  readonly gaps: number;
  /** Of the seqnos from the beginning to the head, 0 to 100. */
  readonly percent: number;
  /** What this process writes, lately. */
  readonly seqnosPerSecond: number;
  readonly transactionsPerSecond: number;
  /** Until all is indexed; 0 when it is, undefined while nothing is known. */
  readonly etaSeconds: number | undefined;
  /** Seqnos that the index is behind the head. */
  readonly lag: number | undefined;
  /** States that this process asked lite servers for. */
  readonly asked: number;
  /** Accounts whose code or data is missing. */
  readonly missing: number;
  readonly lastError: string | undefined;
}

/** Nearer to the head than this, nothing is to be caught up with. */
const NEAR_SEQNOS = 5;

/** Keeps the figures of an indexer; reading them costs nothing to speak of. */
export class ProgressTracker {
  state: IndexerState = 'waiting';
  from: number | undefined;
  missing = 0;
  asked = 0;
  lastError: string | undefined;
  readonly #meter: RateMeter;
  #ranges: readonly SeqnoRange[] = [];
  #followed: number | undefined;
  #writtenSince = 0;

  constructor(now: () => number) {
    this.#meter = new RateMeter(now);
  }

  /** What the database says, from all processes. */
  setRanges(ranges: readonly SeqnoRange[]): void {
    this.#ranges = ranges;
    this.#writtenSince = 0;
    const last = ranges.at(-1)?.last;
    if (last === undefined || last > (this.#followed ?? 0)) this.#followed = last;
  }

  /** What was written by this process. */
  addWritten(written: { seqnos: number; transactions: number; asked: number }): void {
    this.#meter.add(written.seqnos, written.transactions);
    this.#writtenSince += written.seqnos;
    this.asked += written.asked;
    this.lastError = undefined;
  }

  setFollowed(seqno: number): void {
    this.#followed = seqno;
  }

  /** Forgets the index, which was wiped. */
  reset(): void {
    this.setRanges([]);
    this.from = undefined;
    this.missing = 0;
  }

  read(head: number | undefined): IndexProgress {
    const { from, asked, missing, lastError } = this;
    const followed = this.#followed;
    const indexed = this.#ranges.reduce((sum, { first, last }) => sum + last - first + 1, this.#writtenSince);
    const total = from === undefined || head === undefined ? 0 : Math.max(0, head - from + 1);
    const rates = this.#meter.rates();
    const lag = head === undefined || followed === undefined ? undefined : Math.max(0, head - followed);
    const left = Math.max(0, total - indexed);
    const isNear = left <= NEAR_SEQNOS;
    return {
      state: this.state === 'following' && (lag ?? 0) > NEAR_SEQNOS ? 'catching-up' : this.state,
      head,
      followed,
      from,
      lag,
      asked,
      missing,
      lastError,
      indexedSeqnos: indexed,
      gaps:
        from === undefined || followed === undefined
          ? 0
          : gapsBetween(this.#ranges, { first: from, last: this.#ranges.at(-1)?.last ?? 0 }).length,
      percent: total === 0 ? 0 : Math.min(100, (100 * indexed) / total),
      ...rates,
      etaSeconds:
        total === 0
          ? undefined
          : isNear
            ? 0
            : rates.seqnosPerSecond > 0
              ? left / rates.seqnosPerSecond
              : undefined,
    };
  }
}
