/** Items that wait for their turn to be worked on. */
interface WorkQueue<T> {
  /** Adds an item; returns false if `maxWaiting` are waiting already. */
  add(item: T, maxWaiting: number): boolean;
  /** Number of waiting items. */
  readonly size: number;
  /** Drops all that wait. */
  clear(): void;
}

/** Creates a queue that works on a few items at a time, in the order in which they came. `work` must not reject. */
export function createWorkQueue<T>(maxConcurrent: number, work: (item: T) => Promise<void>): WorkQueue<T> {
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
    add(item, maxWaiting) {
      if (waiting.size >= maxWaiting) return false;
      waiting.add(item);
      startNext();
      return true;
    },
    get size() {
      return waiting.size;
    },
    clear: () => waiting.clear(),
  };
}
