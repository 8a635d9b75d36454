/** How long one caller waits for a shared call. */
export interface WaitLimits {
  /** When the caller's own time is over; undefined when the call itself ends before. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

interface Flight<T, Owner> {
  /** Who runs the call. */
  readonly owner: Owner;
  readonly result: Promise<T>;
  readonly abort: AbortController | undefined;
  waiters: number;
}

const NO_LIMITS: WaitLimits = { timeoutMs: undefined, signal: undefined };

/** Lets equal calls that are in flight at the same time share one execution. Nothing is kept after the call ended. */
export class SingleFlight<T, Owner = undefined> {
  readonly #flights = new Map<string, Flight<T, Owner>>();
  readonly #timeoutError: () => Error;

  /** `timeoutError` creates what a caller whose time is over is rejected with. */
  constructor(timeoutError: () => Error = () => new Error('Timed out waiting for a shared call')) {
    this.#timeoutError = timeoutError;
  }

  get size(): number {
    return this.#flights.size;
  }

  /** Joins the call in flight for that key, or starts one, and waits until it ends. */
  run(this: SingleFlight<T>, key: string, start: () => Promise<T>): Promise<T> {
    return this.join(key, undefined, start).result;
  }

  /**
   * Joins the call in flight for that key, or starts one. A caller who gives up leaves alone; the call is aborted only
   * when nobody waits for it any more. It gets no signal when that cannot happen: creating one for every lite query
   * would cost more than everything else here.
   */
  join(
    key: string,
    owner: Owner,
    start: (signal: AbortSignal | undefined) => Promise<T>,
    limits: WaitLimits = NO_LIMITS,
  ): Pick<Flight<T, Owner>, 'owner' | 'result'> {
    const isUnlimited = limits.timeoutMs === undefined && limits.signal === undefined;
    let flight = this.#flights.get(key);
    if (flight === undefined) {
      const abort = isUnlimited ? undefined : new AbortController();
      flight = { owner, result: start(abort?.signal), abort, waiters: 0 };
      this.#add(key, flight);
    }
    flight.waiters += 1;
    const result = isUnlimited ? flight.result : this.#wait(key, flight, limits);
    return { owner: flight.owner, result };
  }

  #add(key: string, flight: Flight<T, Owner>): void {
    this.#flights.set(key, flight);
    const remove = (): void => this.#remove(key, flight);
    flight.result.then(remove, remove);
  }

  #remove(key: string, flight: Flight<T, Owner>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }

  #wait(key: string, flight: Flight<T, Owner>, { timeoutMs, signal }: WaitLimits): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer =
        timeoutMs === undefined ? undefined : setTimeout(() => leave(this.#timeoutError()), timeoutMs);
      const onAbort = (): void => leave(signal?.reason);
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const leave = (reason: unknown): void => {
        stop();
        reject(reason);
        flight.waiters -= 1;
        if (flight.waiters > 0) return;
        // A caller who comes now must not join a call that is being aborted.
        this.#remove(key, flight);
        flight.abort?.abort(reason);
      };
      signal?.addEventListener('abort', onAbort);
      flight.result.finally(stop).then(resolve, reject);
      if (signal?.aborted) onAbort();
    });
  }
}
