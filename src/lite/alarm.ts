/** A pause that can be cut short. */
export class Alarm {
  #wake: (() => void) | undefined;

  /** Returns after the time, at the first ring, or when the signal comes; never throws. One may wait at a time. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wake = wake;
      signal.addEventListener('abort', wake);
    });
  }

  ring(): void {
    this.#wake?.();
  }
}
