import { gapsBetween } from '../index/coverage.ts';
import type { SeqnoRange } from '../index/snapshot.ts';

interface Sample {
  readonly atMs: number;
  readonly seqnos: number;
  readonly transactions: number;
}

const SPAN_MS = 30_000;
const MAX_SAMPLES = 1000;

/** Measures write rates; `now` is a monotonic clock in milliseconds. */
class RateMeter {
  readonly #now: () => number;
  readonly #startedMs: number;
  #samples: Sample[] = [];

  constructor(now: () => number) {
    this.#now = now;
    this.#startedMs = now();
  }

  add(seqnos: number, transactions: number): void {
    this.#samples.push({ atMs: this.#now(), seqnos, transactions });
    if (this.#samples.length > MAX_SAMPLES) this.#merge();
  }

  /** Over the last 30 seconds, or since the start. */
  rates() {
    const nowMs = this.#now();
    const sinceMs = nowMs - SPAN_MS;
    this.#samples = this.#samples.filter(({ atMs }) => atMs > sinceMs);
    const seconds = Math.max(1, Math.min(SPAN_MS, nowMs - this.#startedMs) / 1000);
    let seqnos = 0;
    let transactions = 0;
    for (const one of this.#samples) {
      seqnos += one.seqnos;
      transactions += one.transactions;
    }
    return { seqnosPerSecond: seqnos / seconds, transactionsPerSecond: transactions / seconds };
  }

  /** Merges pairs of samples, so that many small writes take no more memory than few large ones. */
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
 * State of an indexer: `waiting` for lite servers or the database, `following` the head, `catching-up` with it,
 * `standby` while another process follows it, `diverged` when the chain differs from the indexed one, `stopped`
 * permanently.
 */
type IndexerState = 'waiting' | 'following' | 'catching-up' | 'standby' | 'diverged' | 'stopped';

export type IndexProgress = Readonly<ReturnType<ProgressTracker['read']>>;

/** Within this distance of the head the indexer is not catching up. */
const NEAR_SEQNOS = 5;

/** Tracks the progress of an indexer; reading it is cheap. */
export class ProgressTracker {
  state: IndexerState = 'waiting';
  from: number | undefined;
  missing = 0;
  waitingPools = 0;
  missingElectorStates = 0;
  statesRequested = 0;
  lastError: string | undefined;
  readonly #meter: RateMeter;
  #ranges: readonly SeqnoRange[] = [];
  #followed: number | undefined;
  #writtenSince = 0;

  constructor(now: () => number) {
    this.#meter = new RateMeter(now);
  }

  /** Sets the coverage in the database, written by all processes. */
  setRanges(ranges: readonly SeqnoRange[]): void {
    this.#ranges = ranges;
    this.#writtenSince = 0;
    const last = ranges.at(-1)?.last;
    if (last === undefined || last > (this.#followed ?? 0)) this.#followed = last;
  }

  /** Adds a batch written by this process. */
  addWritten(written: { seqnos: number; transactions: number; requested: number }): void {
    this.#meter.add(written.seqnos, written.transactions);
    this.#writtenSince += written.seqnos;
    this.statesRequested += written.requested;
    this.lastError = undefined;
  }

  setFollowed(seqno: number): void {
    this.#followed = seqno;
  }

  /** Starts over after the index was wiped, or went back to the given coverage. */
  reset(ranges: readonly SeqnoRange[] = []): void {
    this.setRanges(ranges);
    this.#followed = ranges.at(-1)?.last;
    this.from = ranges[0]?.first;
    this.missing = 0;
    this.waitingPools = 0;
    this.missingElectorStates = 0;
    this.lastError = undefined;
  }

  read(head: number | undefined) {
    const { from } = this;
    const followed = this.#followed;
    const indexedSeqnos = this.#ranges.reduce(
      (sum, { first, last }) => sum + last - first + 1,
      this.#writtenSince,
    );
    const total = from === undefined || head === undefined ? 0 : Math.max(0, head - from + 1);
    const rates = this.#meter.rates();
    const lag = head === undefined || followed === undefined ? undefined : Math.max(0, head - followed);
    const left = Math.max(0, total - indexedSeqnos);
    const etaSeconds = rates.seqnosPerSecond > 0 ? left / rates.seqnosPerSecond : undefined;
    return {
      state: this.state === 'following' && (lag ?? 0) > NEAR_SEQNOS ? 'catching-up' : this.state,
      /** Seqno of the head, as far as known. */
      head,
      followed,
      from,
      /** Seqnos by which the index is behind the head. */
      lag,
      /** Account states that this process requested from lite servers. */
      statesRequested: this.statesRequested,
      /** Accounts whose code or data is missing. */
      missing: this.missing,
      /** Transactions of nominator pools, by pool and seqno, whose events need states from lite servers. */
      waitingPools: this.waitingPools,
      /** Seqnos whose state of the elector must be fetched. */
      missingElectorStates: this.missingElectorStates,
      lastError: this.lastError,
      indexedSeqnos,
      /** Number of ranges that are not indexed yet. */
      gaps:
        from === undefined || followed === undefined
          ? 0
          : gapsBetween(this.#ranges, { first: from, last: this.#ranges.at(-1)?.last ?? 0 }).length,
      /** Indexed share of the seqnos from `from` to the head, 0 to 100. */
      percent: total === 0 ? 0 : Math.min(100, (100 * indexedSeqnos) / total),
      /** Recent write rates of this process. */
      ...rates,
      /** Time until everything is indexed; 0 when it is, undefined while unknown. */
      etaSeconds: total === 0 ? undefined : left <= NEAR_SEQNOS ? 0 : etaSeconds,
    };
  }
}
