import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createKeyDirectory, ensureApiKey, generateKey } from '../../../src/access/keys.ts';
import { streamLimitsOf } from '../../../src/access/plans.ts';
import { createAccess } from '../../../src/access/plugin.ts';
import { createMemoryRateStore } from '../../../src/access/rate-limit.ts';
import type { Database } from '../../../src/db/connection.ts';
import { createMetrics } from '../../../src/observe/metrics.ts';
import { createStreamMetrics } from '../../../src/observe/stream-metrics.ts';
import type { WatchedPending } from '../../../src/pending/pending-traces.ts';
import { type ConnectionSlots, createConnectionSlots } from '../../../src/streaming/connection-slots.ts';
import { createStreaming, type Streaming } from '../../../src/streaming/create-streaming.ts';
import {
  createStreamingInterface,
  type StreamingInterfaceOptions,
} from '../../../src/streaming/interface.ts';
import { createStreamHealth } from '../../../src/streaming/stream-health.ts';
import { createV3Interface } from '../../../src/v3/interface.ts';
import { createTestApp } from '../../support/app.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { NO_INDEX } from '../../v3/support/build-app.ts';
import { type Json, waitFor } from './stream-clients.ts';

/** An application with streams and v3 over an index, on a port. */
export interface StreamApp {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly streaming: Streaming;
  /** A key of a plan. */
  readonly key: (plan?: string) => Promise<string>;
  /** A cursor at the beginning of the chain. */
  readonly beginning: () => string;
  readonly get: (path: string) => Promise<Json>;
  readonly metrics: () => Promise<string>;
  /** How many connections are counted. */
  readonly slotsTaken: () => number;
  readonly close: () => Promise<void>;
}

interface StreamAppOptions
  extends Pick<StreamingInterfaceOptions, 'timing' | 'queue' | 'opensOverLimit' | 'messagesPerSecond'> {
  readonly maxUnfinishedBytes?: number;
  readonly pending?: WatchedPending;
  readonly resumeSeconds?: number | 'all';
  readonly maxReplayed?: number;
  readonly textDecimals?: boolean;
  readonly hasReferenceNames?: boolean;
}

export async function openStreamApp(database: Database, options: StreamAppOptions = {}): Promise<StreamApp> {
  const {
    pending,
    resumeSeconds = 10 ** 9,
    maxReplayed = 10_000,
    timing,
    queue,
    opensOverLimit = false,
    messagesPerSecond,
    maxUnfinishedBytes,
  } = options;
  const { textDecimals = false, hasReferenceNames = false } = options;
  const log = createQuietLog();
  const ports = {
    ...NO_INDEX,
    database,
    testOnly: true,
    pending,
    metadataQueue: { add: () => {} },
  };
  const registry = createMetrics({ runtime: false });
  const metrics = createStreamMetrics(registry.registry);
  const streaming = createStreaming({
    database,
    ports,
    pending,
    metrics,
    log,
    resumeSeconds,
    textDecimals,
    maxReplayed,
  });
  const keys = createKeyDirectory({ database, log });
  const access = createAccess({
    keys,
    store: createMemoryRateStore(),
    network: 'localnet',
    anonymousRps: 100_000,
    rateLimit: true,
    onRefused: () => {},
  });
  const slots = countSlots(createConnectionSlots());
  const app = await createTestApp({
    access,
    overrides: {
      // One address may have a quarter of them.
      maxConnections: 40_000,
      ...(maxUnfinishedBytes && { maxUnfinishedBytes }),
      interfaces: [
        {
          prefix: '/api/streaming',
          plugin: createStreamingInterface({
            streaming,
            slots,
            metrics,
            limitsOf: ({ keyPlan }) =>
              keyPlan === null
                ? { connections: 1, addresses: 10, eventsPerSecond: 50 }
                : streamLimitsOf(keyPlan),
            health: createStreamHealth({
              database,
              streaming,
              hasPending: pending !== undefined,
              hasReferenceNames,
            }),
            opensOverLimit,
            ...(messagesPerSecond && { messagesPerSecond }),
            ...(timing && { timing }),
            ...(queue && { queue }),
          }),
        },
        {
          prefix: '/api/v3',
          plugin: createV3Interface({ ports, limits: { defaultLimit: 10, maxLimit: 1000 } }),
        },
      ],
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  await waitFor(() => streaming.follower.position() !== undefined);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    app,
    streaming,
    async key(plan = 'localnet') {
      const key = generateKey();
      await ensureApiKey(database, { key, name: plan, plan, rps: 100_000, networks: [] });
      return key;
    },
    beginning: () => `0-0.0-0.${streaming.follower.network()}`,
    async get(path) {
      const response = await fetch(`${url}/api/v3/${path}`);
      if (response.status !== 200) throw new Error(await response.text());
      return response.json();
    },
    metrics: () => registry.render(),
    slotsTaken: slots.taken,
    async close() {
      await app.close();
      await streaming.close();
      slots.close();
      await keys.close();
    },
  };
}

function countSlots(slots: ConnectionSlots): ConnectionSlots & { readonly taken: () => number } {
  const taken = new Set<() => void>();
  return {
    ...slots,
    taken: () => taken.size,
    async take(caller, max) {
      const free = await slots.take(caller, max);
      if (free === undefined) return undefined;
      taken.add(free);
      return () => {
        taken.delete(free);
        free();
      };
    },
  };
}
