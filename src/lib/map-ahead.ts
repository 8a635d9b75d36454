/** How far `mapAhead` runs ahead of who reads its results. */
export interface AheadLimits<R> {
  /** Items that are worked on, or done and not yet taken, at most. */
  readonly count: number;
  /** No work is begun while results that were not taken yet weigh more than this. */
  readonly weight?: number;
  readonly weigh?: (result: R) => number;
}

/**
 * Runs `work` on the items of a source, several at a time and ahead of the reader, also while the reader is busy; the
 * results keep the order. A failure of the source or of the work is thrown in its turn. Who leaves early must end the
 * source and the work by other means.
 */
export async function* mapAhead<T, R>(
  source: AsyncIterable<T>,
  { count, weight = Number.POSITIVE_INFINITY, weigh = () => 0 }: AheadLimits<R>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const results: Promise<R>[] = [];
  let weightHeld = 0;
  let isEnded = false;
  let isLeft = false;
  let wakeReader = (): void => {};
  let wakeStarter = (): void => {};

  const add = (result: Promise<R>): void => {
    // Its turn may come much later, and a failure must have been noticed by then.
    result.catch(() => {});
    results.push(result);
    wakeReader();
  };
  const begin = async (item: T): Promise<R> => {
    const result = await work(item);
    weightHeld += weigh(result);
    return result;
  };
  const startAll = async (): Promise<void> => {
    try {
      for await (const item of source) {
        if (isLeft) return;
        add(begin(item));
        while (!isLeft && (results.length >= count || weightHeld > weight))
          await new Promise<void>((resolve) => {
            wakeStarter = resolve;
          });
        if (isLeft) return;
      }
    } catch (error) {
      add(Promise.reject(error));
    } finally {
      isEnded = true;
      wakeReader();
    }
  };

  void startAll();
  try {
    while (true) {
      while (results.length === 0 && !isEnded)
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      const next = results[0];
      if (next === undefined) return;
      const value = await next;
      results.shift();
      weightHeld -= weigh(value);
      wakeStarter();
      yield value;
    }
  } finally {
    isLeft = true;
    wakeStarter();
  }
}
