import type { BlockId } from '../chain/block-id.ts';
import { backOffDelay } from '../lib/back-off.ts';
import { Failure, StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { LiteConnection } from './connection.ts';
import { Consensus, type HeadListener, type WaitOptions } from './consensus.ts';
import { LiteNetworkError, LiteServerError, LiteTimeout, NoLiteServer } from './errors.ts';
import { type FollowOptions, followHead, WakeableTimer, watchArchiveDepth } from './follow-head.ts';
import type { GlobalConfig, LiteServerAddress } from './global-config.ts';
import {
  DEFAULT_POOL_TIMING,
  NO_METRICS,
  PooledServer,
  type PoolMetrics,
  type PoolTiming,
  type ServerCandidate,
  type ServerCondition,
} from './pooled-server.ts';
import {
  type LiteSession,
  openSession,
  type ServerRequirements,
  type SessionOptions,
  SharedQueries,
} from './session.ts';

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
  const timing = { ...DEFAULT_POOL_TIMING, ...options.timing };
  const queries = new SharedQueries(timing, now);
  const members = startMembers({
    addresses: config.liteServers,
    zeroState: config.zeroState,
    connect,
    proveHead,
    log,
    metrics,
    maxInFlight,
    timing,
    now,
    random,
  });
  const { servers, consensus, distrust, ended } = members;

  function choose(wish: ServerRequirements, tried?: ReadonlySet<PooledServer>): PooledServer | undefined {
    const live = consensus.live().filter((server) => !tried?.has(server));
    const consensusSeqno = consensus.block?.seqno ?? 0;
    return chooseServer(eligibleServers(live, wish, consensusSeqno), {
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
      const some = pickRandom(consensus.live(), count, random);
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
    servers: () => servers.map((server) => serverReport(server, consensus)),
    async check() {
      const live = consensus.live().length;
      if (live === 0) throw new Failure('unavailable', 'no lite server is live');
      return `${live} of ${servers.length} lite servers live`;
    },
    close: members.close,
  };
}

/** Non-archival servers drop states after a while; about what is older, archival ones are asked first. */
const OLD_BLOCKS = 2000;

/**
 * The servers that suit a request best, out of those that are live. When none has what the request is about, any will
 * do: its refusal tells the caller why. Only where archival was asked for the list may be empty.
 */
export function eligibleServers<T extends ServerCandidate>(
  live: readonly T[],
  { archival = false, seqno }: ServerRequirements,
  consensusSeqno: number,
): readonly T[] {
  // A connection that is choked is better than none.
  const ready = orElse(
    live.filter(({ isReady }) => isReady),
    live,
  );
  const whole = ready.filter(({ isArchival }) => isArchival);
  if (archival) return whole;
  if (seqno === undefined) return ready;
  const reaching = ready.filter(
    ({ seqno: newest, isArchival, oldestSeqno = consensusSeqno - OLD_BLOCKS }) =>
      newest >= seqno && (isArchival || oldestSeqno <= seqno),
  );
  const best = consensusSeqno - seqno > OLD_BLOCKS ? orElse(whole, reaching) : reaching;
  return orElse(best, ready);
}

/** How servers are compared. */
interface ChoiceOptions {
  readonly consensusSeqno: number;
  readonly nowMs: number;
  readonly random: () => number;
}

/**
 * Takes the better of two servers that chance has picked. Many choosers that all went for the best one of all would
 * bury it before its figures could tell.
 */
export function chooseServer<T extends ServerCandidate>(
  candidates: readonly T[],
  { consensusSeqno, nowMs, random }: ChoiceOptions,
): T | undefined {
  if (candidates.length < 2) return candidates[0];
  const first = Math.floor(random() * candidates.length);
  const others = Math.floor(random() * (candidates.length - 1));
  const a = candidates[first]!;
  const b = candidates[others < first ? others : others + 1]!;
  return costOf(a) <= costOf(b) ? a : b;

  /** About how long an answer will take: every query in the queue, and every missing block, is one turn more. */
  function costOf(server: T): number {
    const behind = Math.max(0, consensusSeqno - server.seqno);
    return server.expectedMs(nowMs) * (1 + server.load) * (1 + behind);
  }
}

function orElse<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  return first.length > 0 ? first : second;
}

interface MembersOptions {
  readonly addresses: readonly LiteServerAddress[];
  readonly zeroState: BlockId;
  readonly connect: Connect;
  readonly proveHead: ProveHead | undefined;
  readonly log: Log;
  readonly metrics: PoolMetrics;
  readonly maxInFlight: number;
  readonly timing: PoolTiming;
  readonly now: () => number;
  readonly random: () => number;
}

/** The servers of a pool, each followed, and what they agree on. */
interface PoolMembers {
  readonly servers: readonly PooledServer[];
  readonly consensus: Consensus;
  /** Comes when the pool is closed. */
  readonly ended: AbortSignal;
  distrust(server: PooledServer, reason: string): void;
  close(): Promise<void>;
}

/** Servers whose heads are proven at a time before the first proof has succeeded. */
const FIRST_PROOFS = 2;
const FIRST_PROOF_MS = 600_000;

/** Connects to all servers and follows them until the close. Throws StartError when one of them cannot exist. */
function startMembers(options: MembersOptions): PoolMembers {
  const { addresses, proveHead, log } = options;
  const end = new AbortController();
  const servers: PooledServer[] = [];
  const tasks: Promise<void>[] = [];
  const consensus = new Consensus(servers, log);
  const firstProofs = new Semaphore(FIRST_PROOFS, () => new LiteTimeout());

  /** The first proof may lead through years of key blocks; it would be too much to go that way with all servers. */
  const prove: ProveHead = async (server, block) => {
    if (proveHead === undefined || consensus.block !== undefined) return proveHead?.(server, block);
    await firstProofs.acquire(FIRST_PROOF_MS, end.signal);
    try {
      await proveHead(server, block);
    } finally {
      firstProofs.release();
    }
  };

  function loseTrust(server: PooledServer, reason: string): void {
    distrust(server, reason, options);
    consensus.update();
  }

  async function close(): Promise<void> {
    end.abort(new LiteNetworkError('Cancelled'));
    for (const { connection } of servers) connection.close();
    await Promise.all(tasks);
    for (const server of servers) server.condition = 'down';
  }

  for (const address of addresses) {
    try {
      const { server, done } = startServer({
        ...options,
        address,
        prove,
        signal: end.signal,
        distrust: loseTrust,
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
  return { servers, consensus, ended: end.signal, distrust: loseTrust, close };
}

/** Makes the connection to one server. */
type Connect = (options: {
  readonly host: string;
  readonly port: number;
  readonly publicKey: Uint8Array;
  readonly log: Log;
  readonly onReady: () => void;
  readonly onDown: () => void;
}) => LiteConnection;

/** A server as those see it who prove its head. */
export interface HeadServer {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  readonly query: (request: Uint8Array) => Promise<Buffer>;
}

/** Asks a server for the proof of a block and checks it; throws ProofFailure when the proof is false. */
export type ProveHead = (server: HeadServer, block: BlockId) => Promise<void>;

interface StartOptions extends Omit<FollowOptions, 'server' | 'alarm' | 'prove'> {
  readonly address: LiteServerAddress;
  readonly connect: Connect;
  readonly prove: ProveHead;
  readonly maxInFlight: number;
}

/** Connects to a server and starts to follow it; `done` resolves after the signal. */
function startServer(options: StartOptions): { server: PooledServer; done: Promise<void> } {
  const { address, log, timing } = options;
  const { index, host, port, publicKey } = address;
  const alarm = new WakeableTimer();
  const ring = () => alarm.ring();
  const server = new PooledServer({
    ...options,
    index,
    name: `${host}:${port}`,
    connection: options.connect({ host, port, publicKey, log, onReady: ring, onDown: ring }),
  });
  const asSeenByProver: HeadServer = {
    index,
    name: server.name,
    query: (request) => server.askNow(request, { timeoutMs: timing.queryMs }),
  };
  const done = Promise.all([
    followHead({ ...options, server, alarm, prove: (block) => options.prove(asSeenByProver, block) }),
    watchArchiveDepth({ ...options, server }),
  ]);
  return { server, done: done.then(() => undefined) };
}

interface DistrustOptions {
  readonly timing: PoolTiming;
  readonly now: () => number;
  readonly log: Log;
  readonly metrics: PoolMetrics;
}

/** Takes a server that gave a wrong answer out of use, each time for longer. */
function distrust(
  server: PooledServer,
  reason: string,
  { timing, now, log, metrics }: DistrustOptions,
): void {
  metrics.serverFailed(server.name, 'proof');
  const nowMs = now();
  // Many queries may have been under way when the first lie was found.
  if (server.distrustedUntilMs > nowMs) return;
  const isForgiven = nowMs - server.distrustedUntilMs > timing.forgiveMs;
  server.wrongAnswers = isForgiven ? 1 : server.wrongAnswers + 1;
  const periodMs = backOffDelay(server.wrongAnswers, timing.distrustFirstMs, timing.distrustMaxMs);
  server.distrustedUntilMs = nowMs + periodMs;
  server.condition = 'distrusted';
  log.warn(
    { server: server.name, index: server.index, reason, periodMs },
    'lite server gave a wrong answer and is not used for a while',
  );
}

/** Takes up to `count` of the servers by chance. */
function pickRandom<T>(items: readonly T[], count: number, random: () => number): T[] {
  const left = [...items];
  const taken: T[] = [];
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken;
}

/**
 * Asks several servers the same at once and gives the first answer. The others go on: what was sent should spread. When
 * all fail, the last refusal is thrown, since a server that read the request knows more than one that could not.
 */
async function broadcast(
  servers: readonly PooledServer[],
  request: Uint8Array,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Buffer> {
  let refusal: LiteServerError | undefined;
  let last: unknown;
  const asked = servers.map((server) =>
    server.ask(request, options).catch((error: unknown) => {
      last = error;
      if (error instanceof LiteServerError) refusal = error;
      throw error;
    }),
  );
  return Promise.any(asked).catch(() => {
    throw refusal ?? last;
  });
}

/** What the pool knows of one server, for status pages and figures. */
export interface ServerReport {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  /** `live` is asked; `lagging` is sound but too far behind; the others are not asked either. */
  readonly state: 'live' | 'lagging' | Exclude<ServerCondition, 'ok'>;
  /** Newest masterchain block, proven when proofs are on; undefined before the first. */
  readonly seqno: number | undefined;
  /** When that block was made, in unix seconds, as the server says. */
  readonly utime: number | undefined;
  readonly lagBlocks: number | undefined;
  readonly latencyMs: number;
  readonly inFlight: number;
  readonly queued: number;
  /** Queries without an answer since the start. */
  readonly failures: number;
  readonly wrongAnswers: number;
  readonly isArchival: boolean;
  /** The oldest masterchain block it was seen to have; undefined before the first look. */
  readonly oldestSeqno: number | undefined;
}

/** Describes a server as it is now. */
function serverReport(server: PooledServer, consensus: Consensus): ServerReport {
  const { index, name, condition, head, latency, permits, failures, wrongAnswers, isArchival, oldestSeqno } =
    server;
  return {
    index,
    name,
    state: condition !== 'ok' ? condition : consensus.isLive(server) ? 'live' : 'lagging',
    seqno: head?.block.seqno,
    utime: head?.utime,
    lagBlocks: head === undefined ? undefined : consensus.lagOf(server),
    latencyMs: latency.averageMs,
    inFlight: permits.running,
    queued: permits.waiting,
    failures,
    wrongAnswers,
    isArchival,
    oldestSeqno,
  };
}
