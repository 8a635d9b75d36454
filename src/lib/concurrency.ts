/** Runs `work` on every item, at most `concurrency` at a time; the results keep the order of the items. */
export async function mapInOrder<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, position: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const position = next++;
      results[position] = await work(items[position]!, position);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane));
  return results;
}

/** How far `mapAhead` runs ahead of who reads its results. */
interface AheadLimits<T, R> {
  /** Items that are worked on, or done and not yet taken, at most. */
  readonly count: number;
  /** No work is begun while what was not taken yet weighs more than this. */
  readonly weight?: number;
  /** What an item weighs from the beginning of its work on, and what its result weighs on top of that. */
  readonly weighItem?: (item: T) => number;
  readonly weigh?: (result: R) => number;
}

/**
 * Runs `work` on the items of a source, several at a time and ahead of the reader, also while the reader is busy; the
 * results keep the order. A failure of the source or of the work is thrown in its turn. Who leaves early must end the
 * source and the work by other means.
 */
export async function* mapAhead<T, R>(
  source: AsyncIterable<T>,
  limits: AheadLimits<T, R>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const { count, weight = Number.POSITIVE_INFINITY, weighItem = () => 0, weigh = () => 0 } = limits;
  const results: Promise<{ value: R; weight: number }>[] = [];
  let weightHeld = 0;
  let isEnded = false;
  let isLeft = false;
  let wakeReader = (): void => {};
  let wakeStarter = (): void => {};

  const add = (result: (typeof results)[number]): void => {
    // Its turn may come much later, and a failure must have been noticed by then.
    result.catch(() => {});
    results.push(result);
    wakeReader();
  };
  const begin = async (item: T) => {
    const itemWeight = weighItem(item);
    weightHeld += itemWeight;
    const value = await work(item);
    const resultWeight = weigh(value);
    weightHeld += resultWeight;
    return { value, weight: itemWeight + resultWeight };
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
      const { value, weight: held } = await next;
      results.shift();
      weightHeld -= held;
      wakeStarter();
      yield value;
    }
  } finally {
    isLeft = true;
    wakeStarter();
  }
}
