import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; returns early, without an error, when the signal is aborted. Does not keep the process alive if `ref` is false. */
export async function pause(ms: number, signal: AbortSignal, { ref = true } = {}): Promise<void> {
  await sleep(ms, undefined, { signal, ref }).catch(() => {});
}

/** Waits for work to end, but not longer than a time; a failure of the work in that time is thrown. */
export async function waitAtMost(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of work, or the error of `late` if it takes longer than a time; the work goes on and its failure is ignored then. */
export async function withTimeout<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(late()), ms);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

/** Pauses that can be ended early. */
export class WakeableTimer {
  readonly #waiting = new Set<() => void>();

  /** Returns after the time, when woken, or when the signal is aborted; never throws. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
