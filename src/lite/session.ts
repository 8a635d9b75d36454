import type { BlockId } from '../chain/block-id.ts';
import type { ServerWish } from './choose-server.ts';
import { type FailureClass, failureClassOf } from './failure-class.ts';
import type { PooledServer } from './pooled-server.ts';
import type { SharedQueries } from './shared-queries.ts';

/** How a session is opened. */
export interface SessionOptions extends ServerWish {
  /** Time for all queries together, counted from now. */
  readonly budgetMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How one query of a session is asked. */
export interface SessionQueryOptions {
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
export interface SessionPool {
  readonly queries: SharedQueries;
  /** A live server that suits and is none of the `tried`; undefined when there is none. */
  readonly choose: (wish: ServerWish, tried: ReadonlySet<PooledServer>) => PooledServer | undefined;
  readonly distrust: (server: PooledServer, reason: string) => void;
}

interface Opening extends ServerWish {
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
  let wish: ServerWish = { archival: opening.archival, seqno: opening.seqno };

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
    const failure = failureClassOf(error);
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
