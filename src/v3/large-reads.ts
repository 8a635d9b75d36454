import { Failure } from '../lib/errors.ts';
import type { Payer } from '../lib/payer.ts';
import { PayerTurns } from '../lib/payer-turns.ts';

/** The turn of a request whose response is large, from its first statement to the last byte of its text. */
export interface LargeRead {
  /** Waits for the turn. */
  take(): Promise<void>;
  /** Throws `NEEDS_TURN` if a response with so many items is large and the request has no turn yet. */
  require(items: number): void;
}

/** Thrown by a read that turned out to be large: it is repeated in its turn, without a connection in the meantime. */
export const NEEDS_TURN = Symbol('needs turn');

/** A response with more transactions, messages or other items than this is large. */
const LARGE_ITEMS = 200;
/** The rows and the JSON of a response with 20 000 transactions take 200 MB until it is written. */
const MAX_LARGE_READS = 4;
const MAX_WAITING_PER_PAYER = 20;
const MAX_WAIT_MS = 10_000;

/** Who takes part: the payer of a request, and the signal that its client has gone. */
interface Reader {
  readonly payer: Payer | undefined;
  readonly signal: AbortSignal;
}

/** Bounds how many large responses are made at the same time; callers take turns. */
export interface LargeReads {
  /** Runs the work of a request, which may take a turn; it ends with the work. */
  run<T>(reader: Reader, work: (large: LargeRead) => Promise<T>): Promise<T>;
}

export function createLargeReads(limit = MAX_LARGE_READS): LargeReads {
  const turns = new PayerTurns({ limit, maxWaiting: MAX_WAITING_PER_PAYER, refusal: tooMany });
  return {
    async run({ payer, signal }, work) {
      let end: (() => void) | undefined;
      const large: LargeRead = {
        async take() {
          end ??= await turns.take(payer, { timeoutMs: MAX_WAIT_MS, signal });
        },
        require(items) {
          if (items > LARGE_ITEMS && end === undefined) throw NEEDS_TURN;
        },
      };
      try {
        return await work(large);
      } finally {
        end?.();
      }
    },
  };
}

/** Whether a request asks for a large response. */
export function isLargePage({ limit }: { readonly limit?: unknown }): boolean {
  return typeof limit === 'number' && limit > LARGE_ITEMS;
}

function tooMany(): Failure {
  return new Failure('overloaded', 'Too many large responses are being made', { retryAfterSeconds: 2 });
}
