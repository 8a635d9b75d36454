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

/** How far `mapAhead` runs ahead of its reader. */
interface AheadLimits<T, R> {
  /** Maximum number of items in work, or done and not read yet. */
  readonly count: number;
  /** No work is started while items that were not read yet weigh more than this. */
  readonly weight?: number;
  /** The weight of an item since the start of its work, and the additional weight of its result. */
  readonly weighItem?: (item: T) => number;
  readonly weigh?: (result: R) => number;
}

/**
 * Runs `work` on the items of a source, several at a time and ahead of the reader, also while the reader is busy; the
 * results keep the order. A failure of the source or of the work is thrown in order. A reader that stops early must end
 * the source and the work by other means.
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
  let isStopped = false;
  let wakeReader = (): void => {};
  let wakeStarter = (): void => {};

  const add = (result: (typeof results)[number]): void => {
    // It may be read much later, and until then a failure must not count as unhandled.
    result.catch(() => {});
    results.push(result);
    wakeReader();
  };
  const start = async (item: T) => {
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
        if (isStopped) return;
        add(start(item));
        while (!isStopped && (results.length >= count || weightHeld > weight))
          await new Promise<void>((resolve) => {
            wakeStarter = resolve;
          });
        if (isStopped) return;
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
    isStopped = true;
    wakeStarter();
  }
}
