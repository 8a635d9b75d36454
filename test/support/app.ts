import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { AccessPlugin } from '../../src/http/access.ts';
import { createApp } from '../../src/http/app.ts';
import { addServiceRoutes } from '../../src/http/service-routes.ts';
import { createLiveCaches } from '../../src/live/caches.ts';
import type { LiveChain } from '../../src/live/chain.ts';
import { createResender } from '../../src/live/send-messages.ts';
import type { LivePorts } from '../../src/live/session.ts';
import { createLogger } from '../../src/observe/logger.ts';
import type { ResultCache } from '../../src/v2/cache.ts';
import { createV2Interface } from '../../src/v2/interface.ts';
import { createV3Interface } from '../../src/v3/interface.ts';
import type { V3Ports } from '../../src/v3/operation.ts';
import { createWebRoutes } from '../../src/web/web-routes.ts';
import { sharedVm } from './shared-vm.ts';

// Shared by all applications of a test file: each logger listens to the exit of the process.
const log = createLogger({ level: 'silent' });

/** Access control by a function that throws to refuse a request; by default everybody is admitted. */
export function testAccess(
  admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void> = async () => {},
): AccessPlugin {
  return fp(async (app) => {
    app.decorateRequest('charge', async () => {});
    app.addHook('onRequest', async (request, reply) => {
      if (request.routeOptions.config.public !== true) await admit(request, reply);
    });
  });
}

interface TestAppOptions {
  readonly access?: AccessPlugin;
  readonly overrides?: Partial<Parameters<typeof createApp>[0]>;
  readonly maxBatch?: number;
  /** What operations of v2 may use; without it, none that needs the chain can be called. */
  readonly ports?: Partial<LivePorts>;
  readonly cache?: ResultCache;
  /** What operations of v3 may use; without it, none that needs the index can be called. */
  readonly v3?: Partial<V3Ports>;
}

const noChain = (): never => {
  throw new Error('This application has no chain');
};
/** The ports of an application without lite servers. */
export const NO_CHAIN: LivePorts = {
  clock: () => Date.now() / 1000,
  pool: noChain,
  check: { verify: true },
  vm: sharedVm(),
  getMethods: 'local',
  caches: createLiveCaches(),
  pending: { accepted: () => {} },
  resender: createResender(),
  requestMs: 10_000,
};

const NO_INDEX: V3Ports = {
  database: { read: noChain },
  testOnly: true,
  metadataQueue: { add: noChain },
  live: {} as LiveChain,
  liveFallback: false,
  networkVersion: () => 12,
};

/** The whole application as `start` builds it, without a port. */
export async function createTestApp({
  access = testAccess(),
  overrides,
  maxBatch = 100,
  ports,
  cache,
  v3,
}: TestAppOptions = {}): Promise<FastifyInstance> {
  const app = await createApp({
    log,
    access,
    interfaces: [
      {
        prefix: '/api/v2',
        plugin: createV2Interface({
          ports: { ...NO_CHAIN, ...ports },
          maxBatch,
          ...(cache && { cache }),
        }),
      },
      {
        prefix: '/api/v3',
        plugin: createV3Interface({
          ports: { ...NO_INDEX, ...v3 },
          limits: { defaultLimit: 10, maxLimit: 1000 },
        }),
      },
      {
        prefix: '/',
        plugin: createWebRoutes({
          version: '0.0.0',
          network: 'localnet',
          coin: 'TON',
          testOnly: true,
          hasLocalChain: false,
          hasStreaming: false,
        }),
      },
    ],
    service: async (service) =>
      addServiceRoutes(service, {
        ready: async () => ({ ready: true, checks: {} }),
        status: () => ({ version: '0.0.0', network: 'localnet', uptime_seconds: 0 }),
      }),
    onRequestDone: () => {},
    shedding: { loopDelayMs: 0, heapPercent: 0, onShed: () => {} },
    maxConnections: 10_000,
    onConnectionRefused: () => {},
    trustProxy: false,
    pathPrefix: '',
    cors: true,
    compress: true,
    receiveTimeoutMs: 30_000,
    ...overrides,
  });
  await app.ready();
  return app;
}
