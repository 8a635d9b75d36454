import type { BlockId } from '../chain/block-id.ts';
import { withWaitPrefix } from '../chain/tl/lite-envelope.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { LiteConnection } from './connection.ts';
import { LiteNetworkError, LiteServerError, LiteTimeout } from './errors.ts';
import { methodById } from './methods/codec.ts';

/** The name of the function that a request without a wait prefix calls, for figures and logs. */
function methodName(request: Uint8Array): string {
  const id = (request[0]! | (request[1]! << 8) | (request[2]! << 16) | (request[3]! << 24)) >>> 0;
  return methodById(id)?.method ?? 'other';
}

const SMOOTHING_FACTOR = 0.2;
/** A server that was slow and is therefore not asked must get another chance. */
const HALF_LIFE_MS = 10_000;
const MIN_LATENCY_MS = 1;

/** How long a server takes to answer: a moving average that fades when nothing is asked. */
export class Latency {
  #averageMs = 0;
  #atMs = 0;

  add(tookMs: number, nowMs: number): void {
    this.#averageMs =
      this.#atMs === 0 ? tookMs : this.#averageMs + SMOOTHING_FACTOR * (tookMs - this.#averageMs);
    this.#atMs = nowMs;
  }

  /** The average of the latest answers; 0 before the first. */
  get averageMs(): number {
    return this.#averageMs;
  }

  /** What the next answer is expected to take. */
  expectedMs(nowMs: number): number {
    return Math.max(MIN_LATENCY_MS, this.#averageMs * 2 ** ((this.#atMs - nowMs) / HALF_LIFE_MS));
  }
}

/**
 * How a server is: not connected, connected but not yet with a head that is proven, without sensible answers, with
 * a false answer, of another network, or as it should be.
 */
export type ServerCondition = 'down' | 'checking' | 'failing' | 'distrusted' | 'foreign' | 'ok';

/** The newest masterchain block of a server. */
interface ServerHead {
  readonly block: BlockId;
  /** When it was made, in unix seconds, as the server says; undefined when it does not. */
  readonly utime: number | undefined;
}

/** How one query is asked. */
interface AskOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The server is to answer once it has this masterchain block. */
  readonly waitFor?: { readonly seqno: number; readonly timeoutMs: number } | undefined;
}

interface PooledServerOptions {
  readonly index: number;
  readonly name: string;
  readonly connection: LiteConnection;
  readonly maxInFlight: number;
  readonly metrics: PoolMetrics;
  readonly now: () => number;
}

/** A block with this number or below is there only when the whole chain is. */
export const ARCHIVAL_SEQNO = 3;

/** One server of the pool: its connection, its queue and all that is known of it. */
export class PooledServer implements ServerCandidate {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  readonly connection: LiteConnection;
  readonly permits: Semaphore;
  readonly latency = new Latency();
  condition: ServerCondition = 'down';
  head: ServerHead | undefined;
  /** Whether it was seen to hold a query until a block is there. */
  holdsQueries = false;
  /** The oldest masterchain block that it was seen to have; undefined before the first look. */
  oldestSeqno: number | undefined;
  distrustedUntilMs = 0;
  /** Wrong answers, those that followed within one period of distrust as one. */
  wrongAnswers = 0;
  /** Failures of queries since the start. */
  failures = 0;
  readonly #metrics: PoolMetrics;
  readonly #now: () => number;

  constructor({ index, name, connection, maxInFlight, metrics, now }: PooledServerOptions) {
    this.index = index;
    this.name = name;
    this.connection = connection;
    this.permits = new Semaphore(maxInFlight, () => new LiteTimeout());
    this.#metrics = metrics;
    this.#now = now;
  }

  /** The number of its newest block; -1 before it is known. */
  get seqno(): number {
    return this.head?.block.seqno ?? -1;
  }

  /** Whether it has all blocks from the first on. */
  get isArchival(): boolean {
    return this.oldestSeqno !== undefined && this.oldestSeqno <= ARCHIVAL_SEQNO;
  }

  get isReady(): boolean {
    return this.connection.ready;
  }

  expectedMs(nowMs: number): number {
    return this.latency.expectedMs(nowMs);
  }

  /** Queries that run or wait. */
  get load(): number {
    return this.permits.running + this.permits.waiting;
  }

  /** Asks in turn with the other queries; the wait for the turn counts. */
  async ask(request: Uint8Array, options: AskOptions): Promise<Buffer> {
    const enteredMs = this.#now();
    const turn = this.permits.acquire(options.timeoutMs, options.signal);
    if (turn === undefined) return this.#askAndLeave(request, options);
    try {
      await turn;
    } catch (error) {
      this.#metrics.queryDone(methodName(request), outcomeOf(error), (this.#now() - enteredMs) / 1000);
      throw error;
    }
    const timeoutMs = Math.max(0, options.timeoutMs - (this.#now() - enteredMs));
    return this.#askAndLeave(request, { ...options, timeoutMs });
  }

  /** Asks at once: what keeps the pool alive must not wait behind what it lives for. */
  async askNow(request: Uint8Array, { timeoutMs, signal, waitFor }: AskOptions): Promise<Buffer> {
    const startedMs = this.#now();
    let outcome: QueryOutcome = 'ok';
    try {
      const whole = waitFor === undefined ? request : withWaitPrefix(waitFor, request);
      return await this.connection.query(whole, signal === undefined ? { timeoutMs } : { timeoutMs, signal });
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      this.#count(methodName(request), outcome, this.#now() - startedMs, waitFor === undefined);
    }
  }

  async #askAndLeave(request: Uint8Array, options: AskOptions): Promise<Buffer> {
    try {
      return await this.askNow(request, options);
    } finally {
      this.permits.release();
    }
  }

  #count(method: string, outcome: QueryOutcome, tookMs: number, isTelling: boolean): void {
    this.#metrics.queryDone(method, outcome, tookMs / 1000);
    if (outcome === 'network' || outcome === 'timeout') {
      this.failures += 1;
      this.#metrics.serverFailed(this.name, outcome);
    }
    // A query that the server was asked to hold says nothing about its speed.
    if (isTelling && outcome !== 'aborted' && outcome !== 'network') this.latency.add(tookMs, this.#now());
  }
}

function outcomeOf(error: unknown): QueryOutcome {
  if (error instanceof LiteServerError) return 'refused';
  if (error instanceof LiteTimeout) return 'timeout';
  return error instanceof LiteNetworkError ? 'network' : 'aborted';
}

/** What the choice depends on. */
export interface ServerCandidate {
  /** Newest masterchain block. */
  readonly seqno: number;
  /** Oldest one; undefined when that is not known yet. */
  readonly oldestSeqno: number | undefined;
  readonly isArchival: boolean;
  /** Whether a query would be sent at once. */
  readonly isReady: boolean;
  /** Queries that run or wait. */
  readonly load: number;
  /** What an answer is expected to take. */
  expectedMs(nowMs: number): number;
}

/** How a query ended: answered, refused by the server, or without an answer. */
type QueryOutcome = 'ok' | 'refused' | 'timeout' | 'network' | 'aborted';

/** What a server did wrong: no connection, no answer in time, no sense, a false proof, or another network. */
type ServerFault = 'network' | 'timeout' | 'answer' | 'proof' | 'zero_state';

/** Where the pool counts; gauges are read from its `servers()`. */
export interface PoolMetrics {
  queryDone(method: string, outcome: QueryOutcome, seconds: number): void;
  serverFailed(server: string, fault: ServerFault): void;
}

/** Counts nothing. */
export const NO_METRICS: PoolMetrics = { queryDone() {}, serverFailed() {} };

/** How long the pool waits for what. */
export interface PoolTiming {
  /** One query, the time in the queue included. */
  readonly queryMs: number;
  /** All queries of one request together. */
  readonly requestMs: number;
  /** A request that comes when no server is live waits that long for one. */
  readonly startMs: number;
  /** How long a server is asked to hold the question for the next block; it would refuse to hold it beyond 10 s. */
  readonly headWaitMs: number;
  /** How often a server is asked that does not hold questions. */
  readonly pollMs: number;
  /** How long a query may be held by a server that has not seen the reference block yet. */
  readonly referenceWaitMs: number;
  /** Pauses before a server that failed is asked again. */
  readonly recheckFirstMs: number;
  readonly recheckMaxMs: number;
  /** How long a server that gave a wrong answer is not used: the first time, and at most. */
  readonly distrustFirstMs: number;
  readonly distrustMaxMs: number;
  /** After that long without a wrong answer the next one counts as the first. */
  readonly forgiveMs: number;
  /** When the depth of a server's archive is looked for, first and then again and again. */
  readonly firstProbeMs: number;
  readonly probeMs: number;
}

/** The times of a pool in service. */
export const DEFAULT_POOL_TIMING: PoolTiming = {
  queryMs: 5000,
  requestMs: 10_000,
  startMs: 1000,
  headWaitMs: 4000,
  pollMs: 1000,
  referenceWaitMs: 3000,
  recheckFirstMs: 10_000,
  recheckMaxMs: 60_000,
  distrustFirstMs: 10_000,
  distrustMaxMs: 600_000,
  forgiveMs: 3_600_000,
  firstProbeMs: 1000,
  probeMs: 120_000,
};
