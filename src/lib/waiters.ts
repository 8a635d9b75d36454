interface WaitersOptions {
  /** Longest wait for an answer. */
  readonly timeoutMs: number;
  /** Called when an answer is late; whoever waits is to be given up then. */
  readonly onLate: () => void;
}

interface Waiter {
  readonly startedAtMs: number;
  /** Resolves the wait to undefined. */
  readonly giveUp: () => void;
}

const WATCH_EVERY_MS = 50;

/**
 * Creates what waits for answers of another process that may be late or never come. There is one timer for all waiters
 * instead of one each; it runs only while there is something to watch.
 */
export function createWaiters({ timeoutMs, onLate }: WaitersOptions) {
  /** In the order in which they started. */
  const waiters = new Set<Waiter>();
  let watch: NodeJS.Timeout | undefined;

  function stopWatch(): void {
    clearInterval(watch);
    watch = undefined;
  }

  function look(): void {
    const [oldest] = waiters;
    if (oldest === undefined) stopWatch();
    else if (performance.now() - oldest.startedAtMs > timeoutMs) {
      // If this process itself was late, the answer is in the socket already and is read before `setImmediate` fires.
      setImmediate(() => {
        if (waiters.has(oldest)) onLate();
      });
    }
  }

  return {
    /** The answer; undefined if it was given up. A failure that comes after that is dropped. */
    wait<T>(answer: Promise<T>, onError: (error: Error) => void): Promise<T | undefined> {
      return new Promise((resolve) => {
        const waiter = { startedAtMs: performance.now(), giveUp: () => resolve(undefined) };
        waiters.add(waiter);
        watch ??= setInterval(look, WATCH_EVERY_MS).unref();
        answer.then(
          (result) => {
            waiters.delete(waiter);
            resolve(result);
          },
          (error: Error) => waiters.has(waiter) && onError(error),
        );
      });
    },
    giveUpAll(): void {
      stopWatch();
      for (const waiter of waiters) waiter.giveUp();
      waiters.clear();
    },
  };
}
