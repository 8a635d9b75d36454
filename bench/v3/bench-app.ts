import type { FastifyInstance } from 'fastify';
import { createKeyDirectory } from '../../src/access/keys.ts';
import { createAccess } from '../../src/access/plugin.ts';
import { createMemoryRateStore } from '../../src/access/rate-limit.ts';
import type { Database } from '../../src/db/connection.ts';
import { createApp } from '../../src/http/app.ts';
import type { LiveChain } from '../../src/live/chain.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import type { V3Ports } from '../../src/v3/call.ts';
import { createV3Interface } from '../../src/v3/interface.ts';

/** No chain: all that is asked for is in the index. */
const NO_CHAIN = {} as LiveChain;

/** The application as `serve` builds it, with v3 alone, keys checked, nothing counted and every request in the log. */
export async function createBenchApp(
  database: Database,
  read: V3Ports['database']['read'] = (work) => database.read(work),
  level: 'info' | 'silent' = 'info',
): Promise<FastifyInstance> {
  const log = createLogger({ level });
  const metrics = createMetrics();
  const access = createAccess({
    keys: createKeyDirectory({ database, log }),
    store: createMemoryRateStore(),
    network: 'mainnet',
    anonymousRps: 1,
    rateLimit: false,
    onRefused: metrics.refused,
  });
  const ports: V3Ports = {
    database: { read },
    testOnly: false,
    metadataQueue: { add() {} },
    live: NO_CHAIN,
    liveFallback: false,
    networkVersion: () => 12,
  };
  const limits = { defaultLimit: 10, maxLimit: 1000 };
  return createApp({
    log,
    access,
    trustProxy: false,
    pathPrefix: '',
    cors: true,
    compress: true,
    interfaces: [{ prefix: '/api/v3', plugin: createV3Interface({ ports, limits }) }],
    service: async () => {},
    onRequestDone: metrics.requestDone,
    shedding: { loopDelayMs: 0, heapPercent: 0, onShed: () => {} },
    receiveTimeoutMs: 30_000,
  });
}
