import type { FastifyInstance } from 'fastify';
import { createApp } from '../../src/http/app.ts';
import type { Gate } from '../../src/http/gate.ts';
import { addServiceRoutes } from '../../src/http/plugins/service-routes.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { createV2Interface } from '../../src/v2/interface.ts';
import { createV3Interface } from '../../src/v3/interface.ts';

// One for all applications of a test file: each logger listens to the end of the process.
const log = createLogger({ level: 'silent' });

/** Admits everybody, for tests of what lies behind the gate. */
export const openGate: Gate = { install: async () => {}, admit: async () => {}, charge: async () => {} };

interface TestAppOptions {
  readonly gate?: Gate;
  readonly overrides?: Partial<Parameters<typeof createApp>[0]>;
  readonly maxBatch?: number;
}

/** The whole application as `start` builds it, without a port. */
export async function createTestApp({
  gate = openGate,
  overrides,
  maxBatch = 100,
}: TestAppOptions = {}): Promise<FastifyInstance> {
  const app = await createApp({
    log,
    gate,
    interfaces: [
      {
        prefix: '/api/v2',
        plugin: createV2Interface({ ports: { clock: () => Date.now() / 1000 }, gate, maxBatch }),
      },
      {
        prefix: '/api/v3',
        plugin: createV3Interface({ ports: {}, limits: { defaultLimit: 10, maxLimit: 1000 } }),
      },
    ],
    service: async (service) =>
      addServiceRoutes(service, {
        version: '0.0.0',
        network: 'localnet',
        ready: async () => ({ ready: true, checks: {} }),
      }),
    onRequestDone: () => {},
    writeLine: () => {},
    shedding: { loopDelayMs: 0, heapPercent: 0, onShed: () => {} },
    trustProxy: false,
    pathPrefix: '',
    cors: true,
    compress: true,
    requestTimeoutMs: 30_000,
    ...overrides,
  });
  await app.ready();
  return app;
}
