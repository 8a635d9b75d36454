import { LiteBudgetExceeded } from './errors.ts';

/** A run of some work, and those who wait for it. */
interface Flight<Owner, T> {
  readonly owner: Owner;
  readonly result: Promise<T>;
  readonly abort: AbortController | undefined;
  waiting: number;
}

/** How long one who waits for a flight stays. */
export interface WaitLimits {
  /** When the budget of the one who waits is spent; undefined when the work itself ends before. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A place in a flight; `owner` is who does the work. */
export interface Waiter<Owner, T> {
  readonly owner: Owner;
  readonly result: Promise<T>;
}

/** Lets equal work that is wanted at the same time be done once. */
export class SingleFlight<Owner, T> {
  readonly #flights = new Map<string, Flight<Owner, T>>();

  get size(): number {
    return this.#flights.size;
  }

  /**
   * Takes part in the flight of that key, or starts one. Who loses patience leaves alone; the work is aborted
   * only when nobody waits for it any more. It gets no signal when that cannot happen: making one for every query
   * would cost more than all the rest here.
   */
  join(
    key: string,
    owner: Owner,
    start: (signal: AbortSignal | undefined) => Promise<T>,
    patience: WaitLimits,
  ): Waiter<Owner, T> {
    const isPatient = patience.timeoutMs === undefined && patience.signal === undefined;
    let flight = this.#flights.get(key);
    if (flight === undefined) {
      const abort = isPatient ? undefined : new AbortController();
      flight = { owner, result: start(abort?.signal), abort, waiting: 0 };
      this.#add(key, flight);
    }
    flight.waiting += 1;
    const result = isPatient ? flight.result : this.#wait(key, flight, patience);
    return { owner: flight.owner, result };
  }

  #add(key: string, flight: Flight<Owner, T>): void {
    this.#flights.set(key, flight);
    const forget = (): void => this.#forget(key, flight);
    flight.result.then(forget, forget);
  }

  #forget(key: string, flight: Flight<Owner, T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }

  #wait(key: string, flight: Flight<Owner, T>, { timeoutMs, signal }: WaitLimits): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer =
        timeoutMs === undefined ? undefined : setTimeout(() => leave(new LiteBudgetExceeded()), timeoutMs);
      const onAbort = (): void => leave(signal?.reason);
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const leave = (reason: unknown): void => {
        stop();
        reject(reason);
        flight.waiting -= 1;
        if (flight.waiting > 0) return;
        // One who comes now must not board a flight that is going down.
        this.#forget(key, flight);
        flight.abort?.abort(reason);
      };
      signal?.addEventListener('abort', onAbort);
      flight.result.finally(stop).then(resolve, reject);
      if (signal?.aborted) onAbort();
    });
  }
}
