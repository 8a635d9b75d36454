import { Failure } from './errors.ts';
import { FairQueue } from './fair-queue.ts';
import type { Payer } from './payer.ts';

/** Who waits for a turn: the payer of a request, and the signal that nobody wants it any more. */
export interface Taker {
  readonly payer: Payer | undefined;
  readonly signal: AbortSignal;
}

/** The right to do something that only so many do at a time. */
export interface Turn {
  /** May be called more than once. */
  end(): void;
}

/** Bounds how much of something is done at the same time. Payers take turns: the next is who had the least time lately. */
export interface FairTurns {
  /** A turn; without a promise if one is free. */
  take(taker: Taker): Turn | Promise<Turn>;
  /** A turn if one is free. */
  takeFree(taker: Pick<Taker, 'payer'>): Turn | undefined;
  /** How many wait. */
  waiting(): number;
}

interface TurnOptions {
  /** Turns at the same time, of all payers and of each. */
  readonly limit: number;
  readonly maxPerPayer?: number;
  /** Above it the payer with the most is refused. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** The text for those that are too many or wait too long. */
  readonly refusal: string;
}

interface Entry {
  readonly payer: Payer | undefined;
  readonly begun: PromiseWithResolvers<void>;
  /** Undefined while it waits. */
  startedMs: number | undefined;
}

const RETRY_AFTER_SECONDS = 2;

export function createFairTurns(options: TurnOptions): FairTurns {
  const { limit, maxPerPayer, maxWaiting, maxWaitMs, refusal } = options;
  const queue = new FairQueue<Entry>({ maxRunning: maxPerPayer });
  let free = limit;

  const refused = () => new Failure('overloaded', refusal, { retryAfterSeconds: RETRY_AFTER_SECONDS });

  function enter(payer: Payer | undefined): Entry {
    const entry = { payer, begun: Promise.withResolvers<void>(), startedMs: undefined };
    queue.offer(entry, maxWaiting)?.begun.reject(refused());
    beginNext();
    return entry;
  }

  function beginNext(): void {
    for (const entry of queue.takeSome(free)) {
      free--;
      entry.startedMs = performance.now();
      entry.begun.resolve();
    }
  }

  function toTurn(entry: Entry): Turn {
    let isOver = false;
    return {
      end() {
        if (isOver) return;
        isOver = true;
        free++;
        queue.done(entry, performance.now() - entry.startedMs!);
        beginNext();
      },
    };
  }

  async function waitFor(entry: Entry, signal: AbortSignal): Promise<Turn> {
    const giveUp = (reason: unknown): void => {
      // It may have begun by now, and then it goes on.
      if (queue.remove(entry)) entry.begun.reject(reason);
    };
    const onAbort = (): void => giveUp(signal.reason);
    const timer = setTimeout(() => giveUp(refused()), maxWaitMs);
    signal.addEventListener('abort', onAbort);
    try {
      await entry.begun.promise;
      return toTurn(entry);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    take({ payer, signal }) {
      signal.throwIfAborted();
      const entry = enter(payer);
      return entry.startedMs === undefined ? waitFor(entry, signal) : toTurn(entry);
    },
    takeFree({ payer }) {
      if (free === 0) return undefined;
      const entry = enter(payer);
      if (entry.startedMs !== undefined) return toTurn(entry);
      // Its payer has as many as it may have.
      queue.remove(entry);
      entry.begun.promise.catch(() => {});
      return undefined;
    },
    waiting: () => queue.size,
  };
}
