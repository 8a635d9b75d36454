import { LiteBudgetSpent } from './errors.ts';
import type { PoolTiming } from './pool-timing.ts';
import type { PooledServer } from './pooled-server.ts';
import { SingleFlight } from './single-flight.ts';

/** A query of a session. */
export interface SharedQuery {
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
export interface SharedAnswer {
  readonly bytes: Buffer;
  readonly source: PooledServer;
}

/** Lets equal queries at the same block, whichever server they are for, be asked once. */
export class SharedQueries {
  readonly #flights = new SingleFlight<PooledServer, Buffer>();
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
    if (leftMs <= 0) throw new LiteBudgetSpent();
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
