import { setTimeout as sleep } from 'node:timers/promises';

interface Flight<T> {
  readonly result: Promise<T>;
  /** The flight after it, if somebody waits for that. */
  next: Promise<T> | undefined;
}

/** A call that takes longer than this is not waited for: the next one begins beside it. */
const MAX_WAIT_MS = 50;

/**
 * Lets equal calls share an execution that begins after each of them has come, so that no result is older than its call, as
 * one that was already under way would be. At most one execution of a key is waited for; whoever comes meanwhile shares the next one.
 */
export class NextFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** Runs `start`, or returns the result of the same call of somebody else. A failure is told only to whose call it was. */
  run(key: string, start: () => Promise<T>): Promise<T> {
    const current = this.#flights.get(key);
    if (current === undefined) return this.#begin(key, start);
    if (current.next !== undefined) return current.next.catch(start);
    current.next = ended(current.result).then(() => this.#begin(key, start));
    return current.next;
  }

  #begin(key: string, start: () => Promise<T>): Promise<T> {
    const result = start();
    const flight = { result, next: undefined };
    this.#flights.set(key, flight);
    const end = (): void => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    result.then(end, end);
    return result;
  }
}

async function ended(result: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const late = sleep(MAX_WAIT_MS, undefined, { signal: patience.signal });
  late.catch(() => {});
  await Promise.race([result.catch(() => {}), late]);
  patience.abort();
}
