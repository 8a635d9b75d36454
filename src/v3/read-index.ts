import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables/tables.ts';
import { BEHIND, type IndexCoverage, readSnapshot } from '../index/snapshot.ts';
import { Failure } from '../lib/errors.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import type { Payer } from '../lib/payer.ts';
import { clientGone } from '../live/execution.ts';
import type { LargeRead, V3Call } from './operation.ts';

type IndexCall = Pick<V3Call, 'ports' | 'options' | 'notes' | 'caller' | 'signal' | 'large' | 'log'>;

/** How long a request waits for the seqno that it wants, or for its turn. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 50;

/**
 * Reads one snapshot of the index for a request; the time that the caller allows is that of each statement. A caller that
 * wants a seqno waits until a snapshot has it, whichever replica it is from.
 */
export async function readIndex<T>(call: IndexCall, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const { caller } = call;
  for (;;) {
    const result = await readInTurn(call, work);
    if (result !== BEHIND) return result;
    if (caller.client.destroyed) throw clientGone();
    if (performance.now() - caller.startedAtMs > MAX_WAIT_MS) throw notReached(call);
    await sleep(POLL_MS);
  }
}

async function readInTurn<T>(
  call: IndexCall,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T | typeof BEHIND> {
  const { ports, options, notes, signal, log } = call;
  const { timeoutMs, minSeqno, debug } = options;
  const logStatements = (statements: readonly string[]) =>
    log.info({ statements }, 'Database statements of a request');
  const read = () =>
    readSnapshot(
      {
        database: ports.database,
        timeoutMs,
        signal,
        minSeqno,
        onCoverage: (coverage) => noteCoverage(notes, coverage),
        onStatements: debug ? logStatements : undefined,
      },
      work,
    );
  try {
    return await read();
  } catch (error) {
    if (error !== NEEDS_TURN) throw error;
    await call.large?.take();
    return read();
  }
}

function notReached({ options, notes }: IndexCall): Failure {
  const at = notes.indexedSeqno === 0 ? 'empty' : `at masterchain seqno ${notes.indexedSeqno}`;
  return new Failure(
    'timeout',
    `min_seqno: the index is ${at}, ${options.minSeqno} was not reached within ${MAX_WAIT_MS / 1000} s`,
    { details: { parameter: 'min_seqno' } },
  );
}

/** Notes how far the snapshot goes, for the response. */
function noteCoverage(notes: IndexCall['notes'], coverage: IndexCoverage | undefined): void {
  const { first = 0, newest, indexed = 0 } = coverage ?? {};
  const seqno = newest ?? 0;
  notes.indexedSeqno = seqno;
  notes.missingSeqnos = seqno === 0 ? 0 : seqno - first + 1 - indexed;
}

/** Thrown by a read that turned out to be large: it is repeated in its turn, without a connection in the meantime. */
export const NEEDS_TURN = Symbol('needs turn');

/** A response with more transactions, messages or other items than this is large. */
const LARGE_ITEMS = 200;
/**
 * The rows and the JSON of a response with 20 000 transactions take 200 MB until it is written. PostgreSQL needs as much
 * processor time as this process, and short reads need some too.
 */
const MAX_LARGE_READS = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));
/** Of all callers; above it the one with the most is refused. */
const MAX_WAITING = 100;

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

/** A request that waits for its turn, or has it. */
interface Turn {
  readonly payer: Payer | undefined;
  /** Settled when it is its turn, or when it does not get one. */
  readonly begun: PromiseWithResolvers<void>;
  readonly ended: PromiseWithResolvers<void>;
}

export function createLargeReads(limit = MAX_LARGE_READS): LargeReads {
  const queue = new FairQueue<Turn>();

  async function serve(): Promise<void> {
    for (let turn = await queue.take(); turn !== undefined; turn = await queue.take()) {
      const startMs = performance.now();
      turn.begun.resolve();
      await turn.ended.promise;
      queue.done(turn, performance.now() - startMs);
    }
  }

  async function waitForTurn({ payer, signal }: Reader): Promise<Turn> {
    signal.throwIfAborted();
    const turn = { payer, begun: Promise.withResolvers<void>(), ended: Promise.withResolvers<void>() };
    const giveUp = (reason: unknown): void => {
      queue.remove(turn);
      turn.begun.reject(reason);
    };
    const onAbort = (): void => giveUp(signal.reason);
    const timer = setTimeout(() => giveUp(tooMany()), MAX_WAIT_MS);
    signal.addEventListener('abort', onAbort);
    queue.offer(turn, MAX_WAITING)?.begun.reject(tooMany());
    try {
      await turn.begun.promise;
      return turn;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  for (let lane = 0; lane < limit; lane++) void serve();
  return {
    async run(reader, work) {
      let turn: Turn | undefined;
      const large: LargeRead = {
        async take() {
          turn ??= await waitForTurn(reader);
        },
        require(items) {
          if (items > LARGE_ITEMS && turn === undefined) throw NEEDS_TURN;
        },
      };
      try {
        return await work(large);
      } finally {
        turn?.ended.resolve();
      }
    },
  };
}

/** Whether a request asks for a large response. */
export function isLargeList({ limit }: { readonly limit?: unknown }): boolean {
  return typeof limit === 'number' && limit > LARGE_ITEMS;
}

function tooMany(): Failure {
  return new Failure('overloaded', 'Too many large responses are being made', { retryAfterSeconds: 2 });
}
