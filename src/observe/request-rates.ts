import { REQUEST_BUCKETS_SECONDS, type RequestTotals } from './metrics.ts';

export type RequestRates = Readonly<ReturnType<typeof ratesBetween>>;

export interface OperationRates extends RequestRates {
  readonly interface: string;
  readonly operation: string;
  /** Requests of the last hour by minute, oldest first; the last minute is not over. */
  readonly byMinute: readonly number[];
}

interface Snapshot {
  readonly atMs: number;
  readonly totals: ReadonlyMap<string, RequestTotals>;
}

const MINUTE_MS = 60_000;
const MINUTES = 60;

/**
 * Measures rates of requests from their totals. Its memory grows with the number of operations only. `now` is a monotonic
 * clock in milliseconds.
 */
export function createRequestMeter(
  totals: () => readonly RequestTotals[],
  now: () => number = () => performance.now(),
) {
  /** Of the last minute, oldest first. */
  const snapshots: Snapshot[] = [take()];
  const minutes = new Map<string, Float64Array>();
  let minute = Math.floor(now() / MINUTE_MS);

  function take(): Snapshot {
    const copies = totals().map((one) => [keyOf(one), { ...one, buckets: one.buckets.slice() }] as const);
    return { atMs: now(), totals: new Map(copies) };
  }

  /** Forgets minutes that are more than an hour ago. */
  function moveTo(current: number): void {
    const passed = Math.min(current - minute, MINUTES);
    for (let step = 0; step < passed; step++)
      for (const counts of minutes.values()) counts[(minute + 1 + step) % MINUTES] = 0;
    minute = current;
  }

  return {
    /** Takes the totals; returns the rates since the last time. */
    sample(): RequestRates {
      const before = snapshots.at(-1)!;
      const after = take();
      moveTo(Math.floor(after.atMs / MINUTE_MS));
      for (const [key, { requests }] of after.totals) {
        const counts = minutes.get(key) ?? new Float64Array(MINUTES);
        minutes.set(key, counts);
        counts[minute % MINUTES]! += requests - (before.totals.get(key)?.requests ?? 0);
      }
      snapshots.push(after);
      while (snapshots.length > 2 && snapshots[1]!.atMs <= after.atMs - MINUTE_MS) snapshots.shift();
      return ratesBetween(before, after, [...after.totals.keys()]);
    },
    /** Rates of every operation in the last minute, those with most requests first. */
    operations(): OperationRates[] {
      const [before, after] = [snapshots[0]!, snapshots.at(-1)!];
      return [...after.totals.values()]
        .map((one) => ({
          interface: one.interface,
          operation: one.operation,
          ...ratesBetween(before, after, [keyOf(one)]),
          byMinute: minutesOf(minutes.get(keyOf(one)), minute),
        }))
        .filter(({ byMinute }) => byMinute.some((count) => count > 0))
        .sort((a, b) => sum(b.byMinute) - sum(a.byMinute));
    },
  };
}

function keyOf({ interface: name, operation }: RequestTotals): string {
  return `${name} ${operation}`;
}

function minutesOf(counts: Float64Array | undefined, minute: number): number[] {
  return Array.from({ length: MINUTES }, (_, at) => counts?.[(minute + 1 + at) % MINUTES] ?? 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function ratesBetween(before: Snapshot, after: Snapshot, keys: readonly string[]) {
  const seconds = Math.max((after.atMs - before.atMs) / 1000, 0.001);
  const buckets = new Float64Array(REQUEST_BUCKETS_SECONDS.length + 1);
  let [requests, errors, limited] = [0, 0, 0];
  for (const key of keys) {
    const [old, one] = [before.totals.get(key), after.totals.get(key)!];
    requests += one.requests - (old?.requests ?? 0);
    errors += one.errors - (old?.errors ?? 0);
    limited += one.limited - (old?.limited ?? 0);
    for (const [at, count] of one.buckets.entries()) buckets[at]! += count - (old?.buckets[at] ?? 0);
  }
  return {
    requestsPerSecond: requests / seconds,
    errorsPerSecond: errors / seconds,
    limitedPerSecond: limited / seconds,
    /** Undefined without requests. */
    p50Seconds: quantileOf(buckets, 0.5),
    p99Seconds: quantileOf(buckets, 0.99),
  };
}

/** A quantile of durations, by its place within its bucket; undefined without any. */
function quantileOf(buckets: Float64Array, share: number): number | undefined {
  const rank = share * sum([...buckets]);
  if (rank === 0) return undefined;
  let below = 0;
  for (const [at, count] of buckets.entries()) {
    const from = at === 0 ? 0 : REQUEST_BUCKETS_SECONDS[at - 1]!;
    const to = REQUEST_BUCKETS_SECONDS[at];
    // Nothing is known about durations above the last bound but that they are.
    if (to === undefined) return from;
    if (below + count >= rank) return from + ((rank - below) / count) * (to - from);
    below += count;
  }
  return undefined;
}
