import type { BlockId } from '../chain/block-id.ts';
import { withWaitPrefix } from '../chain/tl/wait-prefix.ts';
import type { Candidate } from './choose-server.ts';
import type { LiteConnection } from './connection/lite-connection.ts';
import { LiteNetworkError, LiteServerError, LiteTimeout } from './errors.ts';
import { Latency } from './latency.ts';
import { methodName } from './method-name.ts';
import type { PoolMetrics, QueryOutcome } from './pool-metrics.ts';
import { QueryGate } from './query-gate.ts';

/**
 * How a server is: not connected, connected but not yet with a head that is proven, without sensible answers, with
 * a false answer, of another network, or as it should be.
 */
export type ServerCondition = 'down' | 'checking' | 'failing' | 'distrusted' | 'foreign' | 'ok';

/** The newest masterchain block of a server. */
export interface ServerHead {
  readonly block: BlockId;
  /** When it was made, in unix seconds, as the server says; undefined when it does not. */
  readonly utime: number | undefined;
}

/** How one query is asked. */
export interface AskOptions {
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
export class PooledServer implements Candidate {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  readonly connection: LiteConnection;
  readonly gate: QueryGate;
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
    this.gate = new QueryGate(maxInFlight);
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
    return this.gate.running + this.gate.waiting;
  }

  /** Asks in turn with the other queries; the wait for the turn counts. */
  async ask(request: Uint8Array, options: AskOptions): Promise<Buffer> {
    const enteredMs = this.#now();
    const turn = this.gate.enter(options.timeoutMs, options.signal);
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
      this.gate.leave();
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
