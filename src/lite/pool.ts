import type { BlockId } from '../chain/block-id.ts';
import { backOffDelay } from '../lib/back-off.ts';
import { Failure, StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { WakeableTimer } from '../lib/wait.ts';
import type { ConnectionOptions, LiteConnection } from './connection.ts';
import { Consensus, type HeadListener, type WaitOptions } from './consensus.ts';
import { LiteServerError, LiteTimeout, NoLiteServer } from './errors.ts';
import { type FollowOptions, followServer, watchArchiveDepth } from './follow-head.ts';
import type { GlobalConfig, LiteServerAddress } from './global-config.ts';
import { LiteNetworkError } from './methods/proofs.ts';
import { DEFAULT_POOL_TIMING, type PoolTiming } from './pool-timing.ts';
import { NO_METRICS, PooledServer, type PoolMetrics } from './pooled-server.ts';
import { chooseServer, eligibleServers, pickRandom, type ServerRequirements } from './server-choice.ts';
import {
  type LiteSession,
  type LiteTarget,
  openPoolSession,
  type SessionOptions,
  SharedQueries,
} from './session.ts';

export interface PoolOptions {
  readonly config: GlobalConfig;
  /** Opens the connection to one server, as `createConnection` does. */
  readonly connect: (options: ConnectionOptions) => LiteConnection;
  /**
   * Proves heads; without it they are believed (`LITE_VERIFY=off`). One server can then make up a block far ahead, so
   * that all others seem to lag.
   */
  readonly proveHead?: ProveHead | undefined;
  readonly log: Log;
  readonly metrics?: PoolMetrics;
  /** Queries that one server gets at a time; more wait in a queue. */
  readonly maxInFlight?: number;
  readonly timing?: Partial<PoolTiming>;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  readonly random?: () => number;
}

/** Several lite servers as one. */
export interface LitePool {
  /** The zero state of the chain, which every server of the pool must have. */
  readonly zeroState: BlockId;
  /** The newest masterchain block of all servers; undefined before the first. */
  readonly head: BlockId | undefined;
  /** The head; throws when no server is live. */
  consensusBlock(): BlockId;
  /** Calls back for every new head; returns a function that unsubscribes. */
  onHead(listener: HeadListener): () => void;
  /** Waits for a head with at least this seqno; throws LiteTimeout or the reason of the signal. */
  waitForSeqno(seqno: number, options: WaitOptions): Promise<BlockId>;
  /** Chooses a server and a reference block for one request; throws NoLiteServer when no server suits. */
  session(options?: SessionOptions): Promise<LiteSession>;
  /**
   * Sends the same query to several servers at once and returns the first response, with the indexes of the servers.
   * `onSent` gets the indexes at once, and so also when all servers refuse.
   */
  broadcast(
    request: Uint8Array,
    count?: number,
    onSent?: (workers: number[]) => void,
  ): Promise<{ response: Buffer; workers: number[] }>;
  /** Excludes a server whose response failed verification for a while. */
  distrust(server: { readonly index: number }, reason: string): void;
  servers(): ServerReport[];
  /** For the health check: how many servers are live; throws when none is. */
  check(): Promise<string>;
  close(): Promise<void>;
}

const MAX_IN_FLIGHT = 64;
const BROADCAST_SERVERS = 5;

/** Connects to all servers of a network and monitors them until it is closed. Throws StartError for a bad key. */
export function createPool(options: PoolOptions): LitePool {
  const { config, random = Math.random, now = () => performance.now() } = options;
  const timing = { ...DEFAULT_POOL_TIMING, ...options.timing };
  const queries = new SharedQueries(timing, now);
  const defaults = { metrics: NO_METRICS, maxInFlight: MAX_IN_FLIGHT };
  const members = startMembers({ ...defaults, ...options, timing, now, random });
  const { servers, consensus, distrust, ended } = members;

  function choose(needs: ServerRequirements, tried?: ReadonlySet<PooledServer>): PooledServer | undefined {
    const live = consensus.live().filter((server) => !tried?.has(server));
    const consensusSeqno = consensus.block?.seqno ?? 0;
    const candidates = eligibleServers(live, needs, consensusSeqno);
    return chooseServer(candidates, { consensusSeqno, nowMs: now(), random });
  }

  /** Another server may be a block ahead; a server that can wait for blocks will soon have that block too. */
  function referenceOf(server: PooledServer): BlockId {
    const newest = consensus.block!;
    return server.waitsForBlocks && consensus.lagOf(server) <= 1 ? newest : server.head!.block;
  }

  async function session(options: SessionOptions = {}): Promise<LiteSession> {
    const { budgetMs = timing.requestMs, signal, archival, seqno, among } = options;
    const deadlineMs = now() + budgetMs;
    signal?.throwIfAborted();
    if (consensus.live().length === 0) await waitForLive(Math.min(timing.startMs, budgetMs), signal);
    const server = choose(options);
    if (server === undefined)
      throw new NoLiteServer(`no workers available (archival=${archival ? 1 : 0} mode=Single)`);
    const reference = referenceOf(server);
    return openPoolSession(
      { queries, choose, distrust },
      { server, reference, deadlineMs, signal, archival, seqno, among },
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
    async broadcast(request, count = BROADCAST_SERVERS, onSent) {
      const some = pickRandom(consensus.live(), count, random);
      if (some.length === 0)
        throw new NoLiteServer(`no workers available (archival=0 clients_number=${count} mode=Multiple)`);
      const workers = some.map(({ index }) => index);
      onSent?.(workers);
      return { response: await broadcast(some, request, { timeoutMs: timing.queryMs }), workers };
    },
    distrust({ index }, reason) {
      const server = servers.find((one) => one.index === index);
      if (server !== undefined) distrust(server, reason);
    },
    servers: () => servers.map((server) => serverReport(server, consensus)),
    async check() {
      const live = consensus.live().length;
      if (live === 0) throw new Failure('unavailable', 'no lite server is live');
      return `${live} of ${servers.length} lite servers live`;
    },
    close: members.close,
  };
}

type MembersOptions = Required<Omit<PoolOptions, 'timing' | 'proveHead'>> &
  Pick<PoolOptions, 'proveHead'> & { readonly timing: PoolTiming };

/** Servers whose heads are proven concurrently before the first proof has succeeded. */
const FIRST_PROOFS = 2;
const FIRST_PROOF_MS = 600_000;

/**
 * Connects to all servers and follows them until the close; `ended` is aborted then. Throws StartError for a bad key or
 * port.
 */
function startMembers(options: MembersOptions) {
  const { config, proveHead, log } = options;
  const end = new AbortController();
  const servers: PooledServer[] = [];
  const tasks: Promise<unknown>[] = [];
  const consensus = new Consensus(servers, log);
  const firstProofs = new Semaphore(FIRST_PROOFS, () => new LiteTimeout());

  /** The first proof may lead through years of key blocks, which is too much work to do with all servers. */
  const prove: ProveHead = async (server, block) => {
    if (proveHead === undefined || consensus.block !== undefined) return proveHead?.(server, block);
    await firstProofs.acquire(FIRST_PROOF_MS, end.signal);
    try {
      await proveHead(server, block);
    } finally {
      firstProofs.release();
    }
  };

  function distrustAndUpdate(server: PooledServer, reason: string): void {
    distrust(server, reason, options);
    consensus.update();
  }

  async function close(): Promise<void> {
    end.abort(new LiteNetworkError('Cancelled'));
    for (const { connection } of servers) connection.close();
    await Promise.all(tasks);
    for (const server of servers) server.condition = 'down';
  }

  for (const address of config.liteServers) {
    try {
      const { server, done } = startServer({
        ...options,
        zeroState: config.zeroState,
        address,
        prove,
        signal: end.signal,
        distrust: distrustAndUpdate,
        onChange: () => consensus.update(),
      });
      servers.push(server);
      tasks.push(done);
    } catch (error) {
      void close();
      const name = `${address.host}:${address.port}`;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`Lite server ${name} of the global config cannot be used: ${reason}`, {
        cause: error,
      });
    }
  }
  return { servers, consensus, ended: end.signal, distrust: distrustAndUpdate, close };
}

/** A server for the proof of its head. */
export type HeadServer = Omit<LiteTarget, 'reference'>;

/** Gets the proof of a block from a server and checks it; throws ProofFailure. */
export type ProveHead = (server: HeadServer, block: BlockId) => Promise<void>;

interface StartOptions extends Omit<FollowOptions, 'server' | 'timer' | 'prove'> {
  readonly address: LiteServerAddress;
  readonly connect: PoolOptions['connect'];
  readonly prove: ProveHead;
  readonly maxInFlight: number;
}

/** Connects to a server and starts to follow it; `done` resolves after the signal is aborted. */
function startServer(options: StartOptions) {
  const { address, log, timing } = options;
  const { index, host, port, publicKey } = address;
  const timer = new WakeableTimer();
  const wake = () => timer.wake();
  const server = new PooledServer({
    ...options,
    index,
    name: `${host}:${port}`,
    connection: options.connect({ host, port, publicKey, log, onReady: wake, onDown: wake }),
  });
  const headServer: HeadServer = {
    index,
    name: server.name,
    query: (request) => server.queryNow(request, { timeoutMs: timing.queryMs }),
  };
  const done = Promise.all([
    followServer({ ...options, server, timer, prove: (block) => options.prove(headServer, block) }),
    watchArchiveDepth({ ...options, server }),
  ]);
  return { server, done };
}

/** Excludes a server whose response failed verification, each time for longer. */
function distrust(
  server: PooledServer,
  reason: string,
  { timing, now, log, metrics }: Pick<FollowOptions, 'timing' | 'now' | 'log' | 'metrics'>,
): void {
  metrics.serverFailed(server.name, 'proof');
  const nowMs = now();
  // Many queries may have been in flight when the first wrong response was found.
  if (server.distrustedUntilMs > nowMs) return;
  const isForgiven = nowMs - server.distrustedUntilMs > timing.forgiveMs;
  server.wrongResponses = isForgiven ? 1 : server.wrongResponses + 1;
  const periodMs = backOffDelay(server.wrongResponses, timing.distrustFirstMs, timing.distrustMaxMs);
  server.distrustedUntilMs = nowMs + periodMs;
  server.condition = 'distrusted';
  log.warn(
    { server: server.name, index: server.index, reason, periodMs },
    'Lite server distrusted after a wrong response',
  );
}

/**
 * Sends the same query to several servers at once and returns the first response. The other queries continue, so that a
 * message spreads. When all fail, the last refusal is thrown: a server that read the request knows more than one that
 * could not.
 */
async function broadcast(
  servers: readonly PooledServer[],
  request: Uint8Array,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Buffer> {
  let refusal: LiteServerError | undefined;
  let last: unknown;
  const queries = servers.map((server) =>
    server.query(request, options).catch((error: unknown) => {
      last = error;
      if (error instanceof LiteServerError) refusal = error;
      throw error;
    }),
  );
  return Promise.any(queries).catch(() => {
    throw refusal ?? last;
  });
}

/** The status of one server, for status pages and metrics. */
export type ServerReport = Readonly<ReturnType<typeof serverReport>>;

function serverReport(server: PooledServer, consensus: Consensus) {
  const { condition, head, latency, permits } = server;
  return {
    index: server.index,
    /** `host:port`. */
    name: server.name,
    /** Only `live` servers get queries; `lagging` is healthy but too far behind. */
    state: condition !== 'ok' ? condition : consensus.isLive(server) ? 'live' : 'lagging',
    /** Newest masterchain block, proven when proofs are on; undefined before the first. */
    seqno: head?.block.seqno,
    /** When that block was created, in unix seconds, as the server says. */
    utime: head?.utime,
    lagBlocks: head === undefined ? undefined : consensus.lagOf(server),
    latencyMs: latency.averageMs,
    inFlight: permits.running,
    queued: permits.waiting,
    /** Queries without a response since the start. */
    failures: server.failures,
    wrongResponses: server.wrongResponses,
    isArchival: server.isArchival,
    /** The oldest masterchain block it is known to have; undefined before the first probe. */
    oldestSeqno: server.oldestSeqno,
  };
}
