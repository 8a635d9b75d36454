import { randomBytes } from 'node:crypto';
import { decodeLiteError } from '../../chain/tl/lite-error.ts';
import { LiteNetworkError, LiteServerError, LiteTimeout } from '../errors.ts';

interface Waiting {
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (error: unknown) => void;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: (() => void) | undefined;
}

/** A query that has been given an id. */
interface Opened {
  /** Valid until the next query is opened. */
  readonly id: Buffer;
  readonly answer: Promise<Buffer>;
}

const ID_BYTES = 32;
/** The end of an id counts; what comes before is random, so that nobody can answer who has not heard the query. */
const COUNTER_BYTES = 6;
const COUNTER_AT = ID_BYTES - COUNTER_BYTES;
/** A deadline may be missed by that much; it bounds the work when very many queries end one after another. */
const SWEEP_MS = 10;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The queries that wait for an answer. One timer watches all their deadlines. */
export class InFlight {
  readonly #now: () => number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #id = randomBytes(ID_BYTES);
  #lastNumber = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  /** `now` gives milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Makes an id for a query and starts its time. */
  open(timeoutMs: number, signal: AbortSignal | undefined): Opened {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    this.#id.writeUIntBE(number, COUNTER_AT, COUNTER_BYTES);
    const deadlineMs = this.#now() + timeoutMs;
    const onAbort = signal && (() => this.#take(number)?.reject(signal.reason));
    if (onAbort) signal.addEventListener('abort', onAbort);
    const answer = new Promise<Buffer>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject, deadlineMs, signal, onAbort });
    });
    if (deadlineMs < this.#timerAtMs) this.#arm(deadlineMs);
    return { id: this.#id, answer };
  }

  /** Gives an answer to the query it is for; false when there is none, because it is late or was never asked for. */
  settle(id: Buffer, answer: Buffer): boolean {
    if (this.#id.compare(id, 0, COUNTER_AT, 0, COUNTER_AT) !== 0) return false;
    const waiting = this.#take(id.readUIntBE(COUNTER_AT, COUNTER_BYTES));
    if (waiting === undefined) return false;
    try {
      const error = decodeLiteError(answer);
      if (error === undefined) waiting.resolve(answer);
      else waiting.reject(new LiteServerError(error.code, error.message));
    } catch (fault) {
      waiting.reject(new LiteNetworkError(': the error that the server sent cannot be read', fault));
    }
    return true;
  }

  /** Ends all queries with one error: making one for each of thousands would block for long. */
  failAll(error: Error): void {
    for (const number of this.#waiting.keys()) this.#take(number)?.reject(error);
    this.#disarm();
  }

  #take(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(number);
    if (waiting.onAbort) waiting.signal?.removeEventListener('abort', waiting.onAbort);
    return waiting;
  }

  #arm(deadlineMs: number): void {
    this.#disarm();
    this.#timerAtMs = deadlineMs;
    const delayMs = Math.min(Math.max(deadlineMs - this.#now(), SWEEP_MS), MAX_TIMER_MS);
    // After a blocked event loop the timers come first; answers that have arrived meanwhile are to be read before.
    this.#timer = setTimeout(() => setImmediate(() => this.#sweep()), delayMs);
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
  }

  #sweep(): void {
    this.#disarm();
    const nowMs = this.#now();
    let nextMs = Number.POSITIVE_INFINITY;
    let late: LiteTimeout | undefined;
    for (const [number, { deadlineMs }] of this.#waiting) {
      if (deadlineMs > nowMs) nextMs = Math.min(nextMs, deadlineMs);
      else {
        late ??= new LiteTimeout();
        this.#take(number)?.reject(late);
      }
    }
    if (nextMs < Number.POSITIVE_INFINITY) this.#arm(nextMs);
  }
}
