import { readBoc } from '../chain/boc/read-boc.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import type { Log } from '../lib/log.ts';
import type { PendingFigures, PendingMetrics } from '../observe/pending-metrics.ts';
import type { EmulationPayer } from '../pending/emulation-budget.ts';
import { openMessageFeed } from '../pending/feed/message-feed.ts';
import { createChainEye } from '../pending/life/chain-eye.ts';
import { createPending } from '../pending/life/create-pending.ts';
import { createIndexLook } from '../pending/life/index-look.ts';
import type { Pending } from '../pending/life/pending-options.ts';
import type { PendingTraces } from '../pending/pending-traces.ts';
import { createMemoryStore, type MemoryStore } from '../pending/store/memory-store.ts';
import { openRedisLink } from '../pending/store/redis-link.ts';
import { createRedisStore } from '../pending/store/redis-store.ts';
import type { TraceStore } from '../pending/store/trace-store.ts';
import { readExternalMessage } from '../v2/reads/external-message.ts';
import type { EmulationPort } from '../v3/emulate/emulate-call.ts';
import type { ChainAccess } from './chain-access.ts';

interface PendingOptions {
  readonly settings: Settings;
  readonly chain: ChainAccess;
  readonly database: Database;
  readonly emulation: EmulationPort;
  readonly metrics: PendingMetrics;
  readonly log: Log;
}

/** The pending messages of this process. */
export interface StartedPending {
  readonly traces: PendingTraces;
  readonly figures: () => PendingFigures;
  readonly close: () => Promise<void>;
}

/** As the public service: what was not in a block by then will hardly ever be. */
const KEEP_SECONDS = 600;
const MAX_BYTES = 512 * 2 ** 20;
const MAX_TRACE_BYTES = 4 * 2 ** 20;
/** Traces that one answer has at most. */
const MAX_FOUND = 1000;
const AT_ONCE = 8;
const MAX_WAITING = 2000;
const LOOKS_A_HEAD = 256;
/** Senders that nobody knows: those that the gate has not seen, which are of this process itself. */
const UNKNOWN: EmulationPayer = { id: 'unknown', rps: 1 };
/** What a feed brings is bound by the room there is, not by what one caller may have. */
const FEED: EmulationPayer = { id: 'feed', rps: 10_000 };

/** Begins to follow the messages that are sent through this process, and those of the feed. */
export async function startPending(options: PendingOptions): Promise<StartedPending> {
  const { settings, chain, database, emulation, metrics, log } = options;
  const pool = chain.lite.pool(undefined);
  const memory = createMemoryStore({
    ...{ maxTraces: settings.pendingLimit, maxBytes: MAX_BYTES, maxTraceBytes: MAX_TRACE_BYTES },
    maxFound: MAX_FOUND,
  });
  const pending = createPending({
    emulate: (start, { mostMs: budgetMs, signal }) =>
      emulation.emulator.emulate({
        ...('external' in start ? { message: start.external } : start),
        ...{ budgetMs, signal },
      }),
    ...{ classify: emulation.classify, budget: emulation.budget },
    index: createIndexLook(database),
    chain: createChainEye({ pool, check: chain.ports.check }),
    store: await openStore(options, memory, pool.zeroState.rootHash),
    ...{ clock: chain.ports.clock, log, metrics },
    limits: {
      ...{ atOnce: AT_ONCE, waiting: MAX_WAITING, kept: settings.pendingLimit },
      perRps: settings.rateLimit ? settings.pendingPerRps : undefined,
      ...{ keepSeconds: KEEP_SECONDS, looksAHead: LOOKS_A_HEAD },
    },
  });
  chain.onMessage({
    accepted: (message, payer = UNKNOWN) => void pending.accepted(message, payer, 'sender'),
  });
  chain.lite.onRenew(pending.clear);
  const feed = openFeed(options, pending);
  const figures = () => ({
    ...{ ...memory.size(), waiting: pending.waiting(), feedConnected: feed?.isConnected() },
  });
  metrics.observe(figures);
  return {
    ...{ traces: pending, figures },
    async close() {
      await feed?.close();
      await pending.close();
    },
  };
}

async function openStore(
  { settings, metrics, log }: PendingOptions,
  memory: MemoryStore,
  zeroState: Buffer,
): Promise<TraceStore> {
  const { redisUrl: url, network } = settings;
  if (url === undefined) return memory;
  // Custom networks and local chains are told apart by what they began with.
  const prefix = `tongate:pending:${network}:${zeroState.toString('hex', 0, 8)}:`;
  const link = await openRedisLink({ url, log, onTrouble: metrics.storeError, probeKey: `${prefix}probe` });
  return createRedisStore({ link, prefix, memory, maxFound: MAX_FOUND });
}

function openFeed({ settings, metrics, log }: PendingOptions, pending: Pending) {
  const { pendingFeedUrl: url } = settings;
  if (url === undefined) return undefined;
  return openMessageFeed({
    ...{ url, log, onMessage: metrics.feed },
    read: (boc) => readExternalMessage(readBoc(boc)),
    take: (message) => pending.accepted(message, FEED, 'feed'),
  });
}
