import type { Payer } from './payer.ts';

/** Work that waits for its turn. */
interface Waiter {
  readonly admit: () => void;
}

/** The work of one payer. */
interface Line {
  readonly waiters: Set<Waiter>;
  running: number;
}

export interface TurnOptions {
  /** How many run at a time. */
  readonly limit: number;
  /** How many of one payer may wait. */
  readonly maxWaiting: number;
  /** What the work of a payer that has too much waiting, or that waits too long, is rejected with. */
  readonly refusal: () => Error;
}

interface WaitLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const UNKNOWN = '';

/**
 * Lets a limited number run at a time, fairly between payers: the next is one of the payer with the fewest running, and of
 * those the one whose turn was longest ago. The work of one payer is served first come first served.
 */
export class PayerTurns {
  readonly #options: TurnOptions;
  /** Payers with work; the one whose turn was longest ago first. */
  readonly #lines = new Map<string, Line>();
  #running = 0;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Waits for a turn; the work calls what it returns when it is done. */
  async take(payer: Payer | undefined, { timeoutMs, signal }: WaitLimits): Promise<() => void> {
    signal.throwIfAborted();
    const id = payer?.id ?? UNKNOWN;
    const line = this.#lines.get(id) ?? { waiters: new Set(), running: 0 };
    this.#lines.set(id, line);
    if (this.#running < this.#options.limit) this.#start(id, line);
    else await this.#wait(id, line, timeoutMs, signal);
    return () => this.#end(id, line);
  }

  #wait(id: string, line: Line, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (line.waiters.size >= this.#options.maxWaiting) return Promise.reject(this.#options.refusal());
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        line.waiters.delete(waiter);
      };
      const giveUp = (reason: unknown): void => {
        leave();
        this.#forget(id, line);
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(this.#options.refusal()), timeoutMs);
      const waiter: Waiter = {
        admit: () => {
          leave();
          this.#start(id, line);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort);
      line.waiters.add(waiter);
    });
  }

  #start(id: string, line: Line): void {
    this.#running += 1;
    line.running += 1;
    this.#lines.delete(id);
    this.#lines.set(id, line);
  }

  #end(id: string, line: Line): void {
    this.#running -= 1;
    line.running -= 1;
    this.#forget(id, line);
    let next: Line | undefined;
    for (const one of this.#lines.values())
      if (one.waiters.size > 0 && (next === undefined || one.running < next.running)) next = one;
    const [waiter] = next?.waiters ?? [];
    waiter?.admit();
  }

  #forget(id: string, line: Line): void {
    if (line.running === 0 && line.waiters.size === 0) this.#lines.delete(id);
  }
}
