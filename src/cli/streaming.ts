import { type StreamLimits, streamLimitsOf } from '../access/plans.ts';
import type { UsageCounter } from '../access/usage.ts';
import { openRedis } from '../db/redis.ts';
import { createStreamMetrics } from '../observe/stream-metrics.ts';
import type { WatchedPending } from '../pending/pending-traces.ts';
import { createConnectionSlots, createRedisSlots, SLOT_SCRIPTS } from '../streaming/connection-slots.ts';
import { createStreaming } from '../streaming/create-streaming.ts';
import { createStreamingInterface } from '../streaming/interface.ts';
import { createStreamHealth } from '../streaming/stream-health.ts';
import type { V3Ports } from '../v3/operation.ts';
import { shareStreamSlots } from '../workers/slots.ts';
import type { ServerParts } from './open-process.ts';

interface StreamingParts extends ServerParts {
  readonly ports: V3Ports;
  readonly pending: WatchedPending | undefined;
  readonly usage: UsageCounter | undefined;
}

const UNLIMITED: StreamLimits = { connections: -1, addresses: -1, eventsPerSecond: -1 };
const ANONYMOUS_EVENTS_PER_SECOND = 50;
const REDIS_TIMEOUT_MS = 300;
const PROBE_LEASE_MS = 1000;

/** Starts to follow the index for streams; undefined if they are switched off. */
export async function openStreaming(parts: StreamingParts) {
  const { settings, database, ports, pending, log, shutdown, usage } = parts;
  if (!settings.streaming) return undefined;
  const metrics = createStreamMetrics(parts.metrics.registry);
  const slots = createConnectionSlots(await openSharedSlots(parts));
  shutdown.add('stream slots', async () => slots.close());
  const streaming = createStreaming({
    database,
    ports,
    pending,
    metrics,
    log,
    resumeSeconds: settings.streamResume,
    maxReplayed: settings.streamResumeEvents,
    textDecimals: settings.streamTextDecimals,
  });
  shutdown.add('streams', streaming.close);
  const anonymous = {
    connections: settings.streamAnonymousConnections,
    addresses: settings.streamAnonymousAddresses,
    eventsPerSecond: ANONYMOUS_EVENTS_PER_SECOND,
  };
  return {
    streaming,
    stats: streaming.stats,
    plugin: createStreamingInterface({
      streaming,
      slots,
      metrics,
      onEvent: usage && ((keyId) => usage.count(keyId, 'events', 'stream', 200)),
      limitsOf: ({ keyPlan }) => {
        if (!settings.rateLimit) return UNLIMITED;
        return keyPlan === null ? anonymous : streamLimitsOf(keyPlan);
      },
      health: createStreamHealth({
        database,
        streaming,
        hasPending: pending !== undefined,
        hasReferenceNames: settings.streamReferenceNames,
      }),
      opensOverLimit: settings.streamOpenOverLimit,
      messagesPerSecond: settings.streamMessagesPerSecond,
      timing: { keepAliveMs: settings.streamKeepaliveMs },
      queue: { maxMessages: settings.streamQueueMessages, maxBytes: settings.streamQueueKb * 1024 },
    }),
  };
}

/** Streams are counted in Redis, by the parent of several workers, or in this process. */
async function openSharedSlots({ settings, metrics, log, shutdown, place }: StreamingParts) {
  if (settings.redisUrl === undefined) return place && shareStreamSlots(place.channel);
  const redis = await openRedis({
    url: settings.redisUrl,
    log,
    shares: 'counts of streams',
    onError: () => metrics.rateStoreError(),
    timeoutMs: REDIS_TIMEOUT_MS,
    scripts: SLOT_SCRIPTS,
    probe: (client) => client.tongateTakeSlot('tongate:streams:probe', 'probe', -1, PROBE_LEASE_MS),
  });
  shutdown.add('store of stream slots', () => redis.close());
  return createRedisSlots(redis);
}
