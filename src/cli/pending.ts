import { availableParallelism } from 'node:os';
import { readBoc } from '../chain/boc/bag.ts';
import { createEmulatedTokens, createPendingClassifier } from '../classify/classify-pending.ts';
import type { Settings } from '../config/settings.ts';
import { openRedis, openRedisChannel } from '../db/redis.ts';
import type { Payer } from '../lib/payer.ts';
import { createEmulationContext } from '../live/emulation.ts';
import { readExternalMessage } from '../live/external-messages.ts';
import { createPendingMetrics, type PendingMetrics } from '../observe/pending-metrics.ts';
import { createPendingChanges, type PendingChanges } from '../pending/changes.ts';
import { createDepotStore } from '../pending/depot-store.ts';
import { createTraceEmulator } from '../pending/emulate.ts';
import { openMessageFeed } from '../pending/feed.ts';
import { createChainReader } from '../pending/follow-chain.ts';
import { createPending, type Pending } from '../pending/lifecycle.ts';
import { createMemoryStore, type MemoryStore } from '../pending/memory-store.ts';
import { createPendingIndex } from '../pending/pending-index.ts';
import { PENDING_LIMITS, type TraceStore, type WatchedPending } from '../pending/pending-traces.ts';
import { createRedisStore } from '../pending/redis-store.ts';
import { createSignedBlocks } from '../pending/signed-blocks.ts';
import type { EmulationPort } from '../v3/emulation.ts';
import { createVm } from '../vm/vm.ts';
import { isFirst, partOf } from '../workers/place.ts';
import { shareMessageCounts } from '../workers/slots.ts';
import { shareTraces } from '../workers/traces.ts';
import type { ChainAccess } from './chain-access.ts';
import type { ServerParts } from './open-process.ts';

interface PartsOptions extends ServerParts {
  readonly chain: ChainAccess;
}

/** Opens the emulation of messages, and starts to follow those that are sent. */
export async function openPendingParts(options: PartsOptions) {
  const { settings, shutdown } = options;
  const metrics = createPendingMetrics(options.metrics.registry);
  const emulation = openEmulation({ ...options, metrics });
  shutdown.add('emulation', emulation.close);
  const pending = settings.pending ? await startPending({ ...options, emulation, metrics }) : undefined;
  if (pending !== undefined) shutdown.add('pending messages', pending.close);
  return {
    emulation: emulation as EmulationPort,
    pending,
  };
}

interface PendingOptions extends EmulationOptions {
  readonly emulation: EmulationPort;
}

/** As in TON Center: a message that is not in a block by then is unlikely to get there. */
const KEEP_SECONDS = 600;
const MAX_TRACE_BYTES = 4 * 2 ** 20;
const MAX_CONCURRENT_EMULATIONS = 8;
const MAX_WAITING = 2000;
/** Of one emulation, including all that is read for it. */
const MAX_EMULATION_MS = 8000;
const CHECKS_PER_HEAD = 256;
const REDIS_TIMEOUT_MS = 300;
const REDIS_PROBE_TTL_MS = 1000;
/** Payer of messages without one, which come from this process itself. */
const UNKNOWN: Payer = { id: 'unknown', rps: 1 };
/** Messages of a feed are limited by the size of the queue, not per payer. */
const FEED: Payer = { id: 'feed', rps: 10_000 };

/** Starts to follow the messages that are sent through this process, and those of the feed. */
async function startPending(options: PendingOptions) {
  const { settings, chain, database, emulation, metrics, log, place } = options;
  const pool = chain.lite.pool(undefined);
  const traces = place && shareTraces(place.channel);
  const memory = createMemoryStore({
    maxEntries: partOf(settings.pendingLimit, place),
    maxBytes: partOf(PENDING_LIMITS.maxBytes, place),
    maxTraceBytes: MAX_TRACE_BYTES,
    maxFound: PENDING_LIMITS.maxFound,
  });
  const pending = createPending({
    emulate: (start, { payer, signal }) =>
      emulation.emulator.emulate({
        ...('external' in start ? { message: start.external } : start),
        budgetMs: MAX_EMULATION_MS,
        payer,
        signal,
      }),
    classify: emulation.classify,
    budget: emulation.budget,
    index: createPendingIndex(database),
    chain: createChainReader({ pool, check: chain.ports.check }),
    signed: createSignedBlocks({ pool, check: chain.ports.check, log }),
    ...(await openStore(options, memory, traces)),
    counts: place && shareMessageCounts(place.channel),
    clock: chain.ports.clock,
    log,
    metrics,
    limits: {
      maxConcurrent: MAX_CONCURRENT_EMULATIONS,
      maxQueued: MAX_WAITING,
      maxKept: partOf(settings.pendingLimit, place),
      maxPerRps: settings.rateLimit ? settings.pendingPerRps : undefined,
      keepSeconds: KEEP_SECONDS,
      checksPerHead: CHECKS_PER_HEAD,
    },
  });
  chain.onMessage({
    accepted: (message, payer = UNKNOWN) => void pending.accepted(message, payer, 'sender'),
  });
  chain.lite.onRenew(pending.clear);
  traces?.onAdopt((keys) => void pending.adopt(keys));
  const feed = isFirst(place) ? openFeed(options, pending) : undefined;
  const figures = () => ({
    ...memory.size(),
    waiting: pending.queued(),
    checkedSeqno: pending.checkedSeqno(),
    feedConnected: feed?.isConnected(),
  });
  metrics.observe(figures);
  return {
    traces: pending as WatchedPending,
    figures,
    async close() {
      await feed?.close();
      await pending.close();
    },
  };
}

/** Traces are shared through Redis, through the parent of several workers, or not at all. */
async function openStore(
  { settings, chain, metrics, log }: PendingOptions,
  memory: MemoryStore,
  traces: ReturnType<typeof shareTraces> | undefined,
): Promise<{ readonly store: TraceStore; readonly changes: PendingChanges }> {
  const { pendingRedisUrl: url, network } = settings;
  if (url === undefined && traces === undefined) return { store: memory, changes: createPendingChanges() };
  if (url === undefined) {
    const store = createDepotStore({ depot: traces!.depot, memory, maxFound: PENDING_LIMITS.maxFound });
    return { store, changes: createPendingChanges({ ...traces!, find: store.find }) };
  }
  const { zeroState } = chain.lite.pool(undefined);
  // Custom networks and local chains differ by their zero state.
  const prefix = `tongate:pending:${network}:${zeroState.rootHash.toString('hex', 0, 8)}:`;
  const redis = await openRedis({
    url,
    log,
    shares: 'pending traces',
    onError: metrics.storeError,
    probe: (client) => client.set(`${prefix}probe`, '1', 'PX', REDIS_PROBE_TTL_MS),
    timeoutMs: REDIS_TIMEOUT_MS,
  });
  const store = createRedisStore({ redis, prefix, memory, maxFound: PENDING_LIMITS.maxFound });
  const channelName = `${prefix}changes`;
  const changes = createPendingChanges({
    // On the connection on which traces are written.
    publish: (text) => void redis.run((client) => client.publish(channelName, text)),
    subscribe: (onMessage) => openRedisChannel(url, channelName, onMessage),
    find: store.find,
  });
  return { store, changes };
}

function openFeed({ settings, metrics, log }: PendingOptions, pending: Pending) {
  const { pendingFeedUrl: url } = settings;
  if (url === undefined) return undefined;
  return openMessageFeed({
    url,
    log,
    onMessage: metrics.feed,
    read: (boc) => readExternalMessage(readBoc(boc)),
    take: (message) => pending.accepted(message, FEED, 'feed'),
  });
}

interface EmulationOptions extends Omit<PartsOptions, 'metrics'> {
  readonly metrics: PendingMetrics;
}

const MAX_DEFAULT_THREADS = 4;
/**
 * Of one transaction. Special accounts have the gas of the network for them, which lasts for minutes; a transaction of
 * any other account takes 1 s at most.
 */
const MAX_TRANSACTION_MS = 4000;

/** Opens the emulation of messages. It has its own threads, so that get-methods never wait for it. */
function openEmulation(options: EmulationOptions): EmulationPort & { close(): Promise<void> } {
  const { settings, chain, database, metrics, log, place } = options;
  const { network } = settings;
  const { vmBudget: budget } = chain;
  const vm = createVm({
    log,
    threads: partOf(threadsOf(settings), place),
    runLimitMs: MAX_TRANSACTION_MS,
    budget,
    metrics: {
      threadTime: (_lane, ...times) => chain.vmMetrics.threadTime('emulation', ...times),
      timeSpent: chain.vmMetrics.timeSpent,
    },
  });
  const context = createEmulationContext(chain.ports, log);
  const detection = {
    network: network === 'mainnet' || network === 'testnet' ? network : ('other' as const),
    database,
    vm,
    log,
    pool: chain.lite.pool(undefined),
    check: chain.ports.check,
  };
  return {
    context,
    emulator: createTraceEmulator({ vm, context, log, metrics: { emulated: metrics.emulation } }),
    classify: createPendingClassifier(detection),
    tokens: createEmulatedTokens(detection),
    admit: vm.admit,
    budget,
    close: () => vm.close(),
  };
}

function threadsOf({ emulationThreads }: Settings): number {
  if (emulationThreads !== 'auto') return emulationThreads;
  return Math.min(MAX_DEFAULT_THREADS, Math.max(1, Math.floor(availableParallelism() / 4)));
}
