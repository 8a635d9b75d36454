/** Creates a queue that works on a few items at a time, in the order in which they came. `work` must not reject. */
export function createWorkQueue<T>(maxConcurrent: number, work: (item: T) => Promise<void>) {
  const waiting = new Set<T>();
  let busy = 0;

  function startNext(): void {
    for (const item of waiting) {
      if (busy >= maxConcurrent) return;
      waiting.delete(item);
      busy += 1;
      void work(item).finally(() => {
        busy -= 1;
        startNext();
      });
    }
  }

  return {
    /** Adds an item; returns false if `maxWaiting` are waiting already. */
    add(item: T, maxWaiting: number): boolean {
      if (waiting.size >= maxWaiting) return false;
      waiting.add(item);
      startNext();
      return true;
    },
    get size(): number {
      return waiting.size;
    },
    clear: () => waiting.clear(),
  };
}
