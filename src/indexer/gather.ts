import { setImmediate as turn } from 'node:timers/promises';

export interface GatherLimits<T> {
  /** Whether a batch is full, or has been gathered for long enough. */
  readonly isFull: (batch: readonly T[], ageMs: number) => boolean;
  /** Whether a batch goes out as soon as nothing more is at hand. */
  readonly isUrgent: (batch: readonly T[]) => boolean;
}

const NOTHING_YET = Symbol('nothing yet');

/** Puts items together in batches, in order. */
export async function* gather<T>(
  source: AsyncIterable<T>,
  { isFull, isUrgent }: GatherLimits<T>,
): AsyncGenerator<readonly T[], void> {
  const items = source[Symbol.asyncIterator]();
  let batch: T[] = [];
  let begunMs = 0;
  let next = items.next();
  try {
    while (true) {
      const one = await (batch.length > 0 && isUrgent(batch) ? ready(next) : next);
      if (one === NOTHING_YET) {
        yield batch;
        batch = [];
        continue;
      }
      if (one.done) break;
      if (batch.length === 0) begunMs = performance.now();
      batch.push(one.value);
      next = items.next();
      next.catch(() => {});
      if (!isFull(batch, performance.now() - begunMs)) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    void items.return?.();
  }
}

/** What a promise gives if it is settled, or nearly so. */
function ready<T>(promise: Promise<T>): Promise<T | typeof NOTHING_YET> {
  return Promise.race([promise, turn(NOTHING_YET)]);
}
