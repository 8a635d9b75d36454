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
