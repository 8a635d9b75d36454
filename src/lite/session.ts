import type { BlockId } from '../chain/block-id.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { classifyFailure, type FailureClass, LiteBudgetExceeded } from './errors.ts';
import type { PooledServer, PoolTiming } from './pooled-server.ts';

/** How a session is opened. */
export interface SessionOptions extends ServerRequirements {
  /** Time for all queries together, counted from now. */
  readonly budgetMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How one query of a session is asked. */
interface SessionQueryOptions {
  /** The server is to answer once it has this masterchain block; the reference block when left out. */
  readonly waitSeqno?: number | undefined;
}

/** One server and one block: what a query and the check of its answer are made with. */
export interface LiteTarget {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  /** The masterchain block that "now" means. */
  readonly reference: BlockId;
  /** Asks the server; needs no `this`. */
  readonly query: (request: Uint8Array, options?: SessionQueryOptions) => Promise<Buffer>;
}

/** The queries of one request: they go to one server and are about one state of the chain. */
export interface LiteSession extends LiteTarget {
  /** Positions of the servers that this session was bound to, in order. */
  readonly workers: readonly number[];
  /**
   * Runs work on the session's server. When it fails in a way that another server may not, the session moves and the
   * work is run again: once after no answer, once on an archival server when data was not there, once after a false
   * proof. The reference block stays.
   */
  readonly run: <T>(work: (target: LiteTarget) => Promise<T>) => Promise<T>;
}

/** What a session needs of its pool. */
interface SessionPool {
  readonly queries: SharedQueries;
  /** A live server that suits and is none of the `tried`; undefined when there is none. */
  readonly choose: (wish: ServerRequirements, tried: ReadonlySet<PooledServer>) => PooledServer | undefined;
  readonly distrust: (server: PooledServer, reason: string) => void;
}

interface Opening extends ServerRequirements {
  readonly server: PooledServer;
  readonly reference: BlockId;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Opens a session on a server. */
export function openSession(pool: SessionPool, opening: Opening): LiteSession {
  const { reference, deadlineMs, signal } = opening;
  const tried = new Set([opening.server]);
  const workers = [opening.server.index];
  let { server } = opening;
  let wish: ServerRequirements = { archival: opening.archival, seqno: opening.seqno };

  /** `sources` collects who gave the answers; `alone` keeps others from giving them. */
  function targetOf(at: PooledServer, sources: Set<PooledServer>, alone: boolean): LiteTarget {
    return {
      index: at.index,
      name: at.name,
      reference,
      query: async (request, { waitSeqno = reference.seqno } = {}) => {
        const query = { request, waitSeqno, deadlineMs, signal, alone };
        const { bytes, source } = await pool.queries.ask(at, query);
        sources.add(source);
        return bytes;
      },
    };
  }

  async function run<T>(work: (target: LiteTarget) => Promise<T>): Promise<T> {
    const used = new Set<string>();
    for (let alone = false; ; ) {
      const sources = new Set<PooledServer>();
      const at = server;
      try {
        return await work(targetOf(at, sources, alone));
      } catch (error) {
        const cause = causeOf(error, sources, at);
        if (cause === 'final' || used.has(cause) || signal?.aborted) throw error;
        used.add(cause);
        if (cause === 'elsewhere') alone = true;
        else if (!hasMoved(at, cause) && !move(cause)) throw error;
      }
    }
  }

  /** The class of a failure; `elsewhere` is a false proof that may be due to another server than the session's. */
  function causeOf(error: unknown, sources: ReadonlySet<PooledServer>, at: PooledServer) {
    const failure = classifyFailure(error);
    if (failure !== 'proof') return failure;
    const [source] = sources;
    if (source === undefined || sources.size > 1) return 'elsewhere';
    pool.distrust(source, (error as Error).message);
    return source === at ? 'proof' : 'elsewhere';
  }

  /** Whether other work that ran at the same time has moved the session already, to a server that will do. */
  function hasMoved(from: PooledServer, cause: FailureClass): boolean {
    return server !== from && (cause !== 'missing' || server.isArchival);
  }

  function move(cause: 'network' | 'missing' | 'proof'): boolean {
    if (cause === 'missing') wish = { ...wish, archival: true };
    const next = pool.choose(wish, tried);
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

/** What a request needs of the server that answers it. */
export interface ServerRequirements {
  /** Only a server that has the whole chain. */
  readonly archival?: boolean | undefined;
  /** A masterchain block, or about the time of one, that the request is about. */
  readonly seqno?: number | undefined;
}

/** A query of a session. */
interface SharedQuery {
  readonly request: Uint8Array;
  /** The server is to answer once it has this masterchain block. */
  readonly waitSeqno: number;
  /** When the budget of the session is spent. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the answer must come from the given server itself. */
  readonly alone: boolean;
}

/** An answer, and the server that gave it. */
interface SharedAnswer {
  readonly bytes: Buffer;
  readonly source: PooledServer;
}

/** Lets equal queries at the same block, whichever server they are for, be asked once. */
export class SharedQueries {
  readonly #flights = new SingleFlight<Buffer, PooledServer>(() => new LiteBudgetExceeded());
  readonly #timing: PoolTiming;
  readonly #now: () => number;

  constructor(timing: PoolTiming, now: () => number) {
    this.#timing = timing;
    this.#now = now;
  }

  /** Asks a server, or takes the answer that another one is about to give; throws LiteBudgetSpent when it is too late. */
  async ask(server: PooledServer, query: SharedQuery): Promise<SharedAnswer> {
    query.signal?.throwIfAborted();
    // A session with an archival server must not be told by a lesser one that something is not there.
    const group = query.alone ? `${server.index}` : server.isArchival ? 'archival' : 'any';
    const { owner, result } = this.#join(group, server, query);
    try {
      return { bytes: await result, source: owner };
    } catch (error) {
      // What went wrong at another server says nothing about this one.
      if (owner === server || query.signal?.aborted) throw error;
      return await this.ask(server, { ...query, alone: true });
    }
  }

  #join(group: string, server: PooledServer, { request, waitSeqno, deadlineMs, signal }: SharedQuery) {
    const { queryMs, referenceWaitMs } = this.#timing;
    const leftMs = deadlineMs - this.#now();
    if (leftMs <= 0) throw new LiteBudgetExceeded();
    const start = (abort: AbortSignal | undefined) => {
      const mustWait = server.holdsQueries && waitSeqno > server.seqno;
      const waitFor = mustWait ? { seqno: waitSeqno, timeoutMs: referenceWaitMs } : undefined;
      return server.ask(request, { timeoutMs: queryMs, signal: abort, waitFor });
    };
    // The query ends by itself in that time, so most of those who wait need no timer. Timers may come a fraction early.
    const timeoutMs = leftMs < queryMs ? Math.ceil(leftMs) + 1 : undefined;
    return this.#flights.join(`${group}:${waitSeqno}:${textOf(request)}`, server, start, {
      timeoutMs,
      signal,
    });
  }
}

/** One character a byte. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
