/** Work that waits for its turn: so much at once, so much in line. */
export interface WaitingLine<T> {
  /** Puts something in line; false where the line is longer than `most`. */
  add(item: T, most: number): boolean;
  readonly size: number;
  /** Forgets all that waits. */
  clear(): void;
}

/** Opens a line. `work` must not throw. */
export function createWaitingLine<T>(atOnce: number, work: (item: T) => Promise<void>): WaitingLine<T> {
  const waiting = new Set<T>();
  let busy = 0;

  function next(): void {
    for (const item of waiting) {
      if (busy >= atOnce) return;
      waiting.delete(item);
      busy += 1;
      void work(item).finally(() => {
        busy -= 1;
        next();
      });
    }
  }

  return {
    add(item, most) {
      if (waiting.size >= most) return false;
      waiting.add(item);
      next();
      return true;
    },
    get size() {
      return waiting.size;
    },
    clear: () => waiting.clear(),
  };
}
