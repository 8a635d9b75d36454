import type { BlockId } from '../chain/block-id.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { classifyFailure, type FailureClass, LiteBudgetExceeded } from './errors.ts';
import type { PoolTiming } from './pool-timing.ts';
import type { PooledServer } from './pooled-server.ts';
import type { ServerRequirements } from './server-choice.ts';

export interface SessionOptions extends ServerRequirements {
  /** Time for all queries together, counted from now. */
  readonly budgetMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface SessionQueryOptions {
  /** The server responds once it has this masterchain block; the default is the reference block. */
  readonly waitSeqno?: number | undefined;
}

/** One server and one reference block: what a query and the check of its response need. */
export interface LiteTarget {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  /** The masterchain block that stands for "now". */
  readonly reference: BlockId;
  /** Sends a query to the server; needs no `this`. */
  readonly query: (request: Uint8Array, options?: SessionQueryOptions) => Promise<Buffer>;
}

/** The queries of one request: they go to one server and see one state of the chain. */
export interface LiteSession extends LiteTarget {
  /** Indexes of the servers of this session, in the order in which they were used. */
  readonly workers: readonly number[];
  /**
   * Runs work on the session's server. When it fails in a way that another server may not, the session fails over and
   * the work is run again: once after no response, once on an archive server when data was missing, once after a wrong
   * proof. The reference block stays the same.
   */
  readonly run: <T>(work: (target: LiteTarget) => Promise<T>) => Promise<T>;
}

/** The pool as a session uses it. */
interface SessionPool {
  readonly queries: SharedQueries;
  /** A live server that suits and is not among the `tried`, if any. */
  readonly choose: (needs: ServerRequirements, tried: ReadonlySet<PooledServer>) => PooledServer | undefined;
  readonly distrust: (server: PooledServer, reason: string) => void;
}

interface OpenOptions extends ServerRequirements {
  readonly server: PooledServer;
  readonly reference: BlockId;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Opens a session of a pool on a server. */
export function openPoolSession(pool: SessionPool, options: OpenOptions): LiteSession {
  const { reference, deadlineMs, signal } = options;
  const tried = new Set([options.server]);
  const workers = [options.server.index];
  let { server } = options;
  let needs: ServerRequirements = { archival: options.archival, seqno: options.seqno, among: options.among };

  /** `sources` collects the servers that responded; `exclusive` means that only `at` may respond. */
  function targetOf(at: PooledServer, sources: Set<PooledServer>, exclusive: boolean): LiteTarget {
    return {
      index: at.index,
      name: at.name,
      reference,
      query: async (request, { waitSeqno = reference.seqno } = {}) => {
        const query = { request, waitSeqno, deadlineMs, signal, exclusive };
        const { bytes, source } = await pool.queries.query(at, query);
        sources.add(source);
        return bytes;
      },
    };
  }

  async function run<T>(work: (target: LiteTarget) => Promise<T>): Promise<T> {
    const seen = new Set<string>();
    for (let exclusive = false; ; ) {
      const sources = new Set<PooledServer>();
      const at = server;
      try {
        return await work(targetOf(at, sources, exclusive));
      } catch (error) {
        const cause = causeOf(error, sources, at);
        if (cause === 'final' || seen.has(cause) || signal?.aborted) throw error;
        seen.add(cause);
        if (cause === 'elsewhere') exclusive = true;
        else if (!hasFailedOver(at, cause) && !failOver(cause)) throw error;
      }
    }
  }

  /** The class of a failure; `elsewhere` is a wrong proof that may come from another server than the session's. */
  function causeOf(error: unknown, sources: ReadonlySet<PooledServer>, at: PooledServer) {
    const failure = classifyFailure(error);
    if (failure !== 'proof') return failure;
    const [source] = sources;
    if (source === undefined || sources.size > 1) return 'elsewhere';
    pool.distrust(source, (error as Error).message);
    return source === at ? 'proof' : 'elsewhere';
  }

  /** Whether concurrent work has already moved the session to a server that will do. */
  function hasFailedOver(from: PooledServer, cause: FailureClass): boolean {
    return server !== from && (cause !== 'missing' || server.isArchival);
  }

  function failOver(cause: 'network' | 'missing' | 'proof'): boolean {
    if (cause === 'missing') needs = { ...needs, archival: true };
    const next = pool.choose(needs, tried);
    if (next === undefined) return false;
    server = next;
    tried.add(next);
    workers.push(next.index);
    return true;
  }

  return {
    get index() {
      return server.index;
    },
    get name() {
      return server.name;
    },
    reference,
    workers,
    query: (request, options) => targetOf(server, new Set(), false).query(request, options),
    run,
  };
}

interface SharedQuery {
  readonly request: Uint8Array;
  /** The server responds once it has this masterchain block. */
  readonly waitSeqno: number;
  /** When the time of the session is over. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the response must come from the given server itself. */
  readonly exclusive: boolean;
}

/** Single-flight for queries: equal ones at the same block are sent once, whichever server they are for. */
export class SharedQueries {
  readonly #flights = new SingleFlight<Buffer, PooledServer>(() => new LiteBudgetExceeded());
  readonly #timing: PoolTiming;
  readonly #now: () => number;

  constructor(timing: PoolTiming, now: () => number) {
    this.#timing = timing;
    this.#now = now;
  }

  /** Queries a server, or joins an equal query in flight; throws LiteBudgetExceeded when the time is over. */
  async query(
    server: PooledServer,
    query: SharedQuery,
  ): Promise<{ readonly bytes: Buffer; readonly source: PooledServer }> {
    query.signal?.throwIfAborted();
    // A session on an archive server must not get "not found" from a server without an archive.
    const group = query.exclusive ? `${server.index}` : server.isArchival ? 'archival' : 'any';
    const { owner, result } = this.#join(group, server, query);
    try {
      return { bytes: await result, source: owner };
    } catch (error) {
      // A failure of another server says nothing about this one.
      if (owner === server || query.signal?.aborted) throw error;
      return await this.query(server, { ...query, exclusive: true });
    }
  }

  #join(group: string, server: PooledServer, { request, waitSeqno, deadlineMs, signal }: SharedQuery) {
    const { queryMs, referenceWaitMs } = this.#timing;
    const leftMs = deadlineMs - this.#now();
    if (leftMs <= 0) throw new LiteBudgetExceeded();
    const start = (abort: AbortSignal | undefined) => {
      const mustWait = server.waitsForBlocks && waitSeqno > server.seqno;
      const waitFor = mustWait ? { seqno: waitSeqno, timeoutMs: referenceWaitMs } : undefined;
      return server.query(request, { timeoutMs: queryMs, signal: abort, waitFor });
    };
    // The query itself times out after `queryMs`, so most waiters need no timer. Timers may fire a fraction early.
    const timeoutMs = leftMs < queryMs ? Math.ceil(leftMs) + 1 : undefined;
    const key = `${group}:${waitSeqno}:${latin1(request)}`;
    return this.#flights.join(key, server, start, { timeoutMs, signal });
  }
}

/** One character per byte. */
function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
