import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/connection.ts';
import type { Db } from '../db/tables/tables.ts';
import { hasMasterchainBlock } from '../index/read/blocks.ts';
import { BEHIND, type IndexCoverage, readSnapshot, type SnapshotOptions } from '../index/snapshot.ts';
import { clientGone } from '../lib/client-disconnects.ts';
import { Failure } from '../lib/errors.ts';
import { createFairTurns, type Taker, type Turn } from '../lib/fair-turns.ts';
import { type BudgetPermit, type BudgetShare, createPayerBudget } from '../lib/payer-budget.ts';
import type { Caller } from '../live/session.ts';
import type { V3RequestOptions } from './parameters.ts';

type Readable = Pick<Database, 'read'>;

/** What a read of the index needs of the call that it is for. */
interface IndexCall {
  readonly ports: { readonly database: Readable };
  readonly options: V3RequestOptions;
  readonly notes: { indexedSeqno?: number; missingSeqnos?: number };
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly reads?: RequestReads | undefined;
  readonly log: FastifyBaseLogger;
}

/** How long a request waits for the seqno that it wants. */
const MAX_SEQNO_WAIT_MS = 10_000;
const POLL_MS = 50;

/**
 * Reads one snapshot of the index for a request; the time that the caller allows is that of each statement. A caller that
 * wants a seqno waits until a snapshot has it, whichever replica it is from.
 */
export async function readIndex<T>(call: IndexCall, work: (db: Db) => Promise<T>): Promise<T> {
  const { caller } = call;
  for (;;) {
    const result = await readInTurn(call, work);
    if (result !== BEHIND) return result;
    if (caller.client.destroyed) throw clientGone();
    if (performance.now() - caller.startedAtMs > MAX_SEQNO_WAIT_MS) throw notReached(call);
    await sleep(POLL_MS);
  }
}

function readInTurn<T>(call: IndexCall, work: (db: Db) => Promise<T>): Promise<T | typeof BEHIND> {
  const { ports, options, notes, signal, reads, log } = call;
  const { timeoutMs, minSeqno, debug } = options;
  const logStatements = (statements: readonly string[]) =>
    log.info({ statements }, 'Database statements of a request');
  const read = (database: SnapshotOptions['database'], pace?: Pace) =>
    readSnapshot(
      {
        database,
        timeoutMs,
        signal,
        minSeqno,
        ...pace,
        onCoverage: (coverage) => noteCoverage(notes, coverage),
        onStatements: debug ? logStatements : undefined,
      },
      work,
    );
  return reads === undefined ? read(ports.database) : reads.run(ports.database, read);
}

function notReached({ options, notes }: IndexCall): Failure {
  const at = notes.indexedSeqno === 0 ? 'empty' : `at masterchain seqno ${notes.indexedSeqno}`;
  return new Failure(
    'timeout',
    `min_seqno: the index is ${at}, ${options.minSeqno} was not reached within ${MAX_SEQNO_WAIT_MS / 1000} s`,
    { details: { parameter: 'min_seqno' } },
  );
}

function noteCoverage(notes: IndexCall['notes'], coverage: IndexCoverage | undefined): void {
  const { first = 0, newest, indexed = 0 } = coverage ?? {};
  const seqno = newest ?? 0;
  notes.indexedSeqno = seqno;
  notes.missingSeqnos = seqno === 0 ? 0 : seqno - first + 1 - indexed;
}

/** Throws if a seqno is given and the masterchain block is not in the index. */
export async function requireMasterchainBlock(
  db: Db,
  { seqno }: { readonly seqno: number | undefined },
): Promise<void> {
  if (seqno !== undefined && !(await hasMasterchainBlock(db, { seqno })))
    throw new Failure('not_found', `masterchain block ${seqno} not found`);
}

export interface ReadOptions {
  /** Milliseconds of reading per second, for each request a second that a caller may make; undefined for no limit. */
  readonly msPerRps?: number | undefined;
  /** Set where several processes count that together. */
  readonly share?: BudgetShare | undefined;
  /** Connections to the database that all reads together may hold; no limit by default. */
  readonly connections?: number | undefined;
  /** How many of them slow reads may hold. */
  readonly slowReads?: number | undefined;
  /** Large responses that are made at the same time. */
  readonly largeResponses?: number | undefined;
  /** How long a request waits for its turn. */
  readonly maxWaitMs?: number | undefined;
  /** Called for each request that is refused because its caller has no time left. */
  readonly onRefused?: (() => void) | undefined;
  /** Called for each read that is slow. */
  readonly onSlow?: (() => void) | undefined;
  /** Given the function that counts the reads and responses that wait for a turn. */
  readonly observeWaiting?: ((count: () => WaitingReads) => void) | undefined;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Waits for some milliseconds. */
  readonly sleepFor?: ((ms: number) => Promise<void>) | undefined;
}

/** How many wait for turns of a kind. */
export type WaitingReads = Readonly<Record<'quick' | 'slow' | 'large', number>>;

/** Who a request is from, and its parameters. */
interface Reader extends Taker {
  readonly params: { readonly limit?: unknown; readonly offset?: unknown };
}

/** How a read gives way to others. */
type Pace = Pick<SnapshotOptions, 'slow' | 'pause'>;

type Read<T> = (database: Readable, pace: Pace) => Promise<T>;

/** The reads of one request. */
export interface RequestReads {
  /** Waits for the turn of a large response, from its first statement to the last byte of its text. */
  takeLargeTurn(): Promise<void>;
  /** Takes a turn if a response with so many items is large; throws `NEEDS_TURN` if none is free. */
  requireTurn(items: number): void;
  /**
   * Runs a read: the database that it is given waits for a connection in turn and counts the time of it. A read that
   * needs a longer turn is repeated. Throws a `Failure` if the caller has no time left.
   */
  run<T>(database: Readable, read: Read<T>): Promise<T>;
}

/** Bounds the reads of all requests. */
export type Reads = ReturnType<typeof createReads>;

/** Thrown by a read that turned out to be large: it is repeated in its turn, without a connection in the meantime. */
export const NEEDS_TURN = Symbol('needs turn');
/** The same for one that turned out to be slow while others are. */
const NEEDS_SLOW_TURN = Symbol('needs slow turn');

/** A response with more transactions, messages or other items than this is large. */
const LARGE_ITEMS = 200;
/** Usual reads take 2 to 50 ms. */
const SLOW_MS = 200;
/** A read that passes more rows than this is slow, which needs no try. */
const SLOW_ROWS = 50_000;
/**
 * Half of the processors: the rows and the JSON of a response with 20 000 transactions take 200 MB until it is written, a
 * slow statement takes a processor of PostgreSQL, and short reads need some too.
 */
export const LARGE_RESPONSES = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));
/** If others come, a slow read pauses after a statement for as long as it took with the work on its rows, and at most for this long. */
const MAX_PAUSE_MS = 200;
const MAX_WAIT_MS = 10_000;
/** Of all callers; above it the one with the most is refused. */
const MAX_WAITING = 100;
/** The same for quick reads, which wait as long as a caller lets them. */
const MAX_QUICK_WAITING = 10_000;

/** The slowest payer too can save as much as a slow read takes. */
const BUDGET = { savedSeconds: 20, minSaved: 4000, expected: 5 };
const EXPECTED_MS_PER_ROW = 0.005;
/** As long as a statement may take. */
const EXPECTED_SLOW_MS = 3000;

export function createReads(options: ReadOptions = {}) {
  const { connections = Number.POSITIVE_INFINITY, slowReads = LARGE_RESPONSES, share } = options;
  const { largeResponses = LARGE_RESPONSES, maxWaitMs = MAX_WAIT_MS } = options;
  const { now = () => performance.now(), sleepFor = sleep } = options;
  const budget = createPayerBudget({ ...BUDGET, unitsPerRps: options.msPerRps, share, now });
  const longTurns = { maxWaiting: MAX_WAITING, maxWaitMs };
  const large = createFairTurns({
    ...longTurns,
    limit: largeResponses,
    refusal: 'Too many large responses are being made',
  });
  const slow = createFairTurns({
    ...longTurns,
    limit: slowReads,
    maxPerPayer: Math.max(1, slowReads - 1),
    refusal: 'Too many slow requests are under way',
  });
  const quickReads = Math.max(1, connections - slowReads);
  const quick = createFairTurns({
    limit: quickReads,
    maxPerPayer: Math.max(1, quickReads - 1),
    maxWaiting: MAX_QUICK_WAITING,
    maxWaitMs,
    refusal: 'Too many requests are waiting for the database',
  });

  const presence = createPresence(now);
  options.observeWaiting?.(() => ({
    quick: quick.waiting(),
    slow: slow.waiting(),
    large: large.waiting(),
  }));

  function refused({ payer }: Reader): Failure {
    options.onRefused?.();
    return new Failure('rate_limited', 'Ratelimit exceeded: the database time of this caller is used up', {
      retryAfterSeconds: budget.retrySeconds(payer),
    });
  }

  /** Creates the reads of a request. */
  function openRequest(reader: Reader) {
    const rows = numberOf(reader.params.limit) + numberOf(reader.params.offset);
    const expectedMs = BUDGET.expected + rows * EXPECTED_MS_PER_ROW;
    let largeTurn: Turn | undefined;
    let hasBegun = false;

    /** What a request has begun it may finish: what its caller does not have then it owes. */
    function openPermit(): BudgetPermit {
      const permit = hasBegun ? budget.take(reader.payer) : budget.acquire(reader.payer);
      if (permit === undefined) throw refused(reader);
      hasBegun = true;
      return permit;
    }

    async function readOnce<T>(database: Readable, read: Read<T>, isSlow: boolean): Promise<T> {
      const permit = openPermit();
      permit.expect(isSlow ? Math.max(expectedMs, EXPECTED_SLOW_MS) : expectedMs);
      let turn: Turn | undefined;
      let spentMs = 0;
      let hasAsked = false;
      /** Of a slow read: since when it has worked without a pause. */
      let resumedMs: number | undefined;
      const end = (): void => {
        turn?.end();
        permit.charge(spentMs);
      };
      const inTurn: Readable = {
        async read(work) {
          hasAsked = true;
          try {
            turn ??= await quick.take(reader);
            return await database.read(async (db) => {
              const startedMs = now();
              if (isSlow) resumedMs = startedMs;
              try {
                return await work(db);
              } finally {
                spentMs += now() - startedMs;
              }
            });
          } finally {
            end();
          }
        },
      };
      /** One slow read takes a processor of PostgreSQL or of this process: whoever has come meanwhile would wait for it. */
      const pause = (): Promise<void> | undefined => {
        if (resumedMs === undefined) return undefined;
        const workedMs = now() - resumedMs;
        if (workedMs > 0) {
          const pauseMs = presence.isAlone(reader, workedMs) ? 0 : Math.min(MAX_PAUSE_MS, workedMs);
          spentMs -= pauseMs;
          resumedMs += workedMs + pauseMs;
        }
        // Statements that are started together wait for the same pause.
        const leftMs = resumedMs - now();
        return leftMs > 0 ? sleepFor(leftMs) : undefined;
      };
      let isKnownSlow = false;
      const onSlow = (): boolean => {
        // Meanwhile it has turned out to be large.
        if (largeTurn !== undefined) return true;
        if (!isKnownSlow) {
          options.onSlow?.();
          if (budget.retrySeconds(reader.payer) > 0) throw refused(reader);
          permit.expect(Math.max(expectedMs, EXPECTED_SLOW_MS));
        }
        isKnownSlow = true;
        resumedMs ??= now();
        const next = slow.takeFree(reader);
        if (next === undefined) {
          if (presence.isAlone(reader)) return false;
          throw NEEDS_SLOW_TURN;
        }
        // Its connection counts as one of the slow reads from now on.
        turn?.end();
        turn = next;
        return true;
      };
      try {
        if (isSlow) turn = await slow.take(reader);
        const isQuick = !isSlow && largeTurn === undefined;
        return await read(inTurn, { pause, slow: isQuick ? { afterMs: SLOW_MS, onSlow } : undefined });
      } finally {
        // Otherwise it ends when its connection is free again, which may be after the response.
        if (!hasAsked) end();
      }
    }

    const reads: RequestReads = {
      async takeLargeTurn() {
        largeTurn ??= await large.take(reader);
      },
      requireTurn(items) {
        if (items <= LARGE_ITEMS || largeTurn !== undefined) return;
        // If one is free, the read goes on: what it has found would be found again.
        largeTurn = large.takeFree(reader);
        if (largeTurn === undefined) throw NEEDS_TURN;
      },
      async run(database, read) {
        let isSlow = rows > SLOW_ROWS;
        if (isSlow) options.onSlow?.();
        for (;;) {
          try {
            return await readOnce(database, read, isSlow && largeTurn === undefined);
          } catch (error) {
            if (error === NEEDS_TURN) await reads.takeLargeTurn();
            else if (error === NEEDS_SLOW_TURN) isSlow = true;
            else throw error;
          }
        }
      },
    };
    return { reads, end: () => largeTurn?.end() };
  }

  return {
    /** Runs the work of a request, whose reads take turns with those of others. */
    async run<T>(reader: Reader, work: (reads: RequestReads) => Promise<T>): Promise<T> {
      presence.note(reader);
      const { reads, end } = openRequest(reader);
      try {
        if (numberOf(reader.params.limit) > LARGE_ITEMS) await reads.takeLargeTurn();
        return await work(reads);
      } finally {
        end();
      }
    },
  };
}

/** A payer is there for so long after a request. */
const PRESENT_MS = 5000;

/** Knows whether one payer is the only one there, which then delays nobody else. */
function createPresence(now: () => number) {
  let lastId: string | undefined;
  let lastAtMs = Number.NEGATIVE_INFINITY;
  /** When another payer than the last one was there. */
  let otherAtMs = Number.NEGATIVE_INFINITY;
  return {
    note({ payer }: Pick<Reader, 'payer'>): void {
      if (payer?.id !== lastId) otherAtMs = lastAtMs;
      lastId = payer?.id;
      lastAtMs = now();
    },
    /** Whether nobody else has come for so long. */
    isAlone({ payer }: Pick<Reader, 'payer'>, forMs = PRESENT_MS): boolean {
      return now() - (payer?.id === lastId ? otherAtMs : lastAtMs) > forMs;
    },
  };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
