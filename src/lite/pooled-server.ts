import type { BlockId } from '../chain/block-id.ts';
import { withWaitPrefix } from '../chain/tl/lite-envelope.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { LiteConnection } from './connection.ts';
import { LiteServerError, LiteTimeout } from './errors.ts';
import { methodById } from './methods/codec.ts';
import { LiteNetworkError } from './methods/proofs.ts';
import type { ServerCandidate } from './server-choice.ts';

/**
 * The health of a server: not connected, connected without a proven head yet, with failing health checks, with a wrong
 * response lately, of another network, or healthy.
 */
export type ServerCondition = 'down' | 'checking' | 'failing' | 'distrusted' | 'foreign' | 'ok';

interface ServerHead {
  readonly block: BlockId;
  /** When it was created, in unix seconds, as the server says; undefined when it does not. */
  readonly utime: number | undefined;
}

interface QueryOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The server responds once it has this masterchain block. */
  readonly waitFor?: { readonly seqno: number; readonly timeoutMs: number } | undefined;
}

interface PooledServerOptions {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  readonly connection: LiteConnection;
  readonly maxInFlight: number;
  readonly metrics: PoolMetrics;
  readonly now: () => number;
}

/** A server that has this block, or an older one, has the whole chain. */
export const ARCHIVAL_SEQNO = 3;

/** How a query ended: with a response, refused by the server, or without a response. */
type QueryOutcome = 'ok' | 'refused' | 'timeout' | 'network' | 'aborted';

/** Why a server failed: no connection, no response in time, an unparseable response, a wrong proof, or another network. */
type ServerFault = 'network' | 'timeout' | 'answer' | 'proof' | 'zero_state';

/** The counters of the pool; gauges are read from its `servers()`. */
export interface PoolMetrics {
  queryDone(method: string, outcome: QueryOutcome, seconds: number): void;
  serverFailed(server: string, fault: ServerFault): void;
}

export const NO_METRICS: PoolMetrics = { queryDone() {}, serverFailed() {} };

/** One server of the pool: its connection, its queue and its health. */
export class PooledServer implements ServerCandidate {
  readonly index: number;
  readonly name: string;
  readonly connection: LiteConnection;
  readonly permits: Semaphore;
  readonly latency = new Latency();
  condition: ServerCondition = 'down';
  head: ServerHead | undefined;
  /** Whether it is known to support queries that wait for a block. */
  waitsForBlocks = false;
  /** The oldest masterchain block that it is known to have; undefined before the first probe. */
  oldestSeqno: number | undefined;
  distrustedUntilMs = 0;
  /** Wrong responses; those within one period of distrust count as one. */
  wrongResponses = 0;
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

  /** -1 before it is known. */
  get seqno(): number {
    return this.head?.block.seqno ?? -1;
  }

  /** Whether it has all blocks since the first. */
  get isArchival(): boolean {
    return this.oldestSeqno !== undefined && this.oldestSeqno <= ARCHIVAL_SEQNO;
  }

  get isReady(): boolean {
    return this.connection.ready;
  }

  expectedMs(nowMs: number): number {
    return this.latency.expectedMs(nowMs);
  }

  get load(): number {
    return this.permits.running + this.permits.waiting;
  }

  /** Sends a query when its turn in the queue comes; the wait counts towards the timeout. */
  async query(request: Uint8Array, options: QueryOptions): Promise<Buffer> {
    const enteredMs = this.#now();
    const permit = this.permits.acquire(options.timeoutMs, options.signal);
    if (permit === undefined) return this.#queryAndRelease(request, options);
    try {
      await permit;
    } catch (error) {
      this.#metrics.queryDone(methodName(request), outcomeOf(error), (this.#now() - enteredMs) / 1000);
      throw error;
    }
    const timeoutMs = Math.max(0, options.timeoutMs - (this.#now() - enteredMs));
    return this.#queryAndRelease(request, { ...options, timeoutMs });
  }

  /** Sends a query past the queue: health checks must not wait behind requests. */
  async queryNow(request: Uint8Array, { timeoutMs, signal, waitFor }: QueryOptions): Promise<Buffer> {
    const startedMs = this.#now();
    let outcome: QueryOutcome = 'ok';
    try {
      const bytes = waitFor === undefined ? request : withWaitPrefix(waitFor, request);
      return await this.connection.query(bytes, signal === undefined ? { timeoutMs } : { timeoutMs, signal });
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      this.#count(methodName(request), outcome, this.#now() - startedMs, waitFor === undefined);
    }
  }

  async #queryAndRelease(request: Uint8Array, options: QueryOptions): Promise<Buffer> {
    try {
      return await this.queryNow(request, options);
    } finally {
      this.permits.release();
    }
  }

  #count(method: string, outcome: QueryOutcome, tookMs: number, countsLatency: boolean): void {
    this.#metrics.queryDone(method, outcome, tookMs / 1000);
    if (outcome === 'network' || outcome === 'timeout') {
      this.failures += 1;
      this.#metrics.serverFailed(this.name, outcome);
    }
    // A query that waits for a block says nothing about the server's speed.
    if (countsLatency && outcome !== 'aborted' && outcome !== 'network')
      this.latency.add(tookMs, this.#now());
  }
}

function outcomeOf(error: unknown): QueryOutcome {
  if (error instanceof LiteServerError) return 'refused';
  if (error instanceof LiteTimeout) return 'timeout';
  return error instanceof LiteNetworkError ? 'network' : 'aborted';
}

/** The name of the function in a request without a wait prefix, for metrics and logs. */
function methodName(request: Uint8Array): string {
  const id = (request[0]! | (request[1]! << 8) | (request[2]! << 16) | (request[3]! << 24)) >>> 0;
  return methodById(id)?.method ?? 'other';
}

const SMOOTHING_FACTOR = 0.2;
/** A server that is not queried because it was slow must get another chance. */
const HALF_LIFE_MS = 10_000;
const MIN_LATENCY_MS = 1;

/** How long a server takes to respond: a moving average that decays while no queries are sent. */
export class Latency {
  #averageMs = 0;
  #atMs = 0;

  add(tookMs: number, nowMs: number): void {
    this.#averageMs =
      this.#atMs === 0 ? tookMs : this.#averageMs + SMOOTHING_FACTOR * (tookMs - this.#averageMs);
    this.#atMs = nowMs;
  }

  /** The average of the latest queries; 0 before the first. */
  get averageMs(): number {
    return this.#averageMs;
  }

  expectedMs(nowMs: number): number {
    return Math.max(MIN_LATENCY_MS, this.#averageMs * 2 ** ((this.#atMs - nowMs) / HALF_LIFE_MS));
  }
}
