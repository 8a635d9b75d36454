import type { BlockId } from '../chain/block-id.ts';
import { Failure } from '../lib/failure.ts';
import type { Log } from '../lib/log.ts';
import { broadcast, takeSome } from './broadcast.ts';
import { chooseServer, type ServerWish, suitableServers } from './choose-server.ts';
import type { HeadListener, WaitOptions } from './consensus.ts';
import { LiteTimeout, NoLiteServer } from './errors.ts';
import type { GlobalConfig } from './global-config.ts';
import { startMembers } from './pool-members.ts';
import { NO_METRICS, type PoolMetrics } from './pool-metrics.ts';
import { POOL_TIMING, type PoolTiming } from './pool-timing.ts';
import type { PooledServer } from './pooled-server.ts';
import { reportOf, type ServerReport } from './server-report.ts';
import { type LiteSession, openSession, type SessionOptions } from './session.ts';
import { SharedQueries } from './shared-queries.ts';
import type { Connect, ProveHead } from './start-server.ts';

/** What a pool is made of. */
export interface PoolOptions {
  readonly config: GlobalConfig;
  /** Makes the connection to one server; `createConnection` fits. */
  readonly connect: Connect;
  /**
   * Proves heads; without it they are believed (`LITE_VERIFY=off`). One server can then make up a block far ahead, beside
   * which all others seem to lag.
   */
  readonly proveHead?: ProveHead | undefined;
  readonly log: Log;
  readonly metrics?: PoolMetrics;
  /** Queries that one server gets at a time; the others wait. */
  readonly maxInFlight?: number;
  readonly timing?: Partial<PoolTiming>;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
  readonly random?: () => number;
}

/** Several lite servers as one. */
export interface LitePool {
  /** The state that the chain began with, which every server of the pool must have. */
  readonly zeroState: BlockId;
  /** The consensus block: the newest one of all servers, as far as is known; undefined before the first. */
  readonly head: BlockId | undefined;
  /** The consensus block; throws when no server is live. */
  consensusBlock(): BlockId;
  /** Calls back for every new consensus block; returns what ends that. */
  onHead(listener: HeadListener): () => void;
  /** The consensus block once its number is at least `seqno`; throws LiteTimeout or the reason of the signal. */
  waitForSeqno(seqno: number, options: WaitOptions): Promise<BlockId>;
  /** Binds a server and a reference block for one request; throws NoLiteServer when no server suits. */
  session(options?: SessionOptions): Promise<LiteSession>;
  /**
   * Asks several servers the same at once and gives the first answer, with the positions of those that were asked.
   * `onAsked` is told them at once, and so also when all of them refuse.
   */
  broadcast(
    request: Uint8Array,
    count?: number,
    onAsked?: (workers: number[]) => void,
  ): Promise<{ answer: Buffer; workers: number[] }>;
  /** Takes a server that gave a wrong answer out of use for a while. */
  distrust(server: { readonly index: number }, reason: string): void;
  servers(): ServerReport[];
  /** For the health check: says how many servers are live, or throws. */
  check(): Promise<string>;
  close(): Promise<void>;
}

const MAX_IN_FLIGHT = 64;
const BROADCAST_SERVERS = 5;

/** Connects to all servers of a network and keeps an eye on them until it is closed. Throws StartError for a bad key. */
export function createPool(options: PoolOptions): LitePool {
  const { config, log, metrics = NO_METRICS, maxInFlight = MAX_IN_FLIGHT, random = Math.random } = options;
  const { connect, proveHead, now = () => performance.now() } = options;
  const timing = { ...POOL_TIMING, ...options.timing };
  const queries = new SharedQueries(timing, now);
  const members = startMembers({
    ...{ addresses: config.liteServers, zeroState: config.zeroState, connect, proveHead },
    ...{ log, metrics, maxInFlight, timing, now, random },
  });
  const { servers, consensus, distrust, ended } = members;

  function choose(wish: ServerWish, tried?: ReadonlySet<PooledServer>): PooledServer | undefined {
    const live = consensus.live().filter((server) => !tried?.has(server));
    const consensusSeqno = consensus.block?.seqno ?? 0;
    return chooseServer(suitableServers(live, wish, consensusSeqno), {
      consensusSeqno,
      nowMs: now(),
      random,
    });
  }

  /** Another server may be a block ahead; one that holds queries will have that block before long. */
  function referenceOf(server: PooledServer): BlockId {
    const newest = consensus.block!;
    return server.holdsQueries && consensus.lagOf(server) <= 1 ? newest : server.head!.block;
  }

  async function session(wish: SessionOptions = {}): Promise<LiteSession> {
    const { budgetMs = timing.requestMs, signal } = wish;
    const deadlineMs = now() + budgetMs;
    signal?.throwIfAborted();
    if (consensus.live().length === 0) await waitForLive(Math.min(timing.startMs, budgetMs), signal);
    const server = choose(wish);
    if (server === undefined)
      throw new NoLiteServer(`no workers available (archival=${wish.archival ? 1 : 0} mode=Single)`);
    const { archival, seqno } = wish;
    const reference = referenceOf(server);
    return openSession(
      { queries, choose, distrust },
      { server, reference, deadlineMs, signal, archival, seqno },
    );
  }

  async function waitForLive(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await consensus.waitForLive({ timeoutMs, signal: untilEnd(signal) });
    } catch (error) {
      if (!(error instanceof LiteTimeout)) throw error;
    }
  }

  function untilEnd(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? ended : AbortSignal.any([signal, ended]);
  }

  return {
    zeroState: config.zeroState,
    get head() {
      return consensus.block;
    },
    consensusBlock() {
      if (consensus.live().length === 0) throw new Failure('lite_server', 'no workers alive');
      return consensus.block!;
    },
    onHead: (listener) => consensus.onHead(listener),
    waitForSeqno: (seqno, { timeoutMs, signal }) =>
      consensus.waitForSeqno(seqno, { timeoutMs, signal: untilEnd(signal) }),
    session,
    async broadcast(request, count = BROADCAST_SERVERS, onAsked) {
      const some = takeSome(consensus.live(), count, random);
      if (some.length === 0)
        throw new NoLiteServer(`no workers available (archival=0 clients_number=${count} mode=Multiple)`);
      const workers = some.map(({ index }) => index);
      onAsked?.(workers);
      return { answer: await broadcast(some, request, { timeoutMs: timing.queryMs }), workers };
    },
    distrust({ index }, reason) {
      const server = servers.find((one) => one.index === index);
      if (server !== undefined) distrust(server, reason);
    },
    servers: () => servers.map((server) => reportOf(server, consensus)),
    async check() {
      const live = consensus.live().length;
      if (live === 0) throw new Failure('unavailable', 'no lite server is live');
      return `${live} of ${servers.length} lite servers live`;
    },
    close: members.close,
  };
}
