import type { FastifyInstance } from 'fastify';
import { Kysely } from 'kysely';
import { createKeyDirectory } from '../../src/access/keys.ts';
import { createAccess } from '../../src/access/plugin.ts';
import { createMemoryRateStore } from '../../src/access/rate-limit.ts';
import { readLimitsOf } from '../../src/cli/read-limits.ts';
import { readSettings } from '../../src/config/settings.ts';
import type { FailFastClient } from '../../src/db/client.ts';
import { createDatabase, type Database, openPgPool } from '../../src/db/connection.ts';
import { ClusterDialect, PooledDialect } from '../../src/db/driver.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { createApp } from '../../src/http/app.ts';
import { findCluster } from '../../src/index/cluster.ts';
import type { LiveChain } from '../../src/live/chain.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { createV3Interface } from '../../src/v3/interface.ts';
import type { V3Ports } from '../../src/v3/operation.ts';

/** Never used: everything requested is in the index. */
const NO_CHAIN = {} as LiveChain;

/** The application as `serve` builds it, with only v3, key checks, no rate limits, and every request logged. */
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
  const readLimits = readLimitsOf(readSettings({ RATE_LIMIT: 'off' }), metrics);
  return createApp({
    log,
    access,
    maxConnections: 10_000,
    onConnectionRefused: () => {},
    trustProxy: false,
    pathPrefix: '',
    cors: true,
    compress: true,
    interfaces: [{ prefix: '/api/v3', plugin: createV3Interface({ ports, limits, ...readLimits }) }],
    service: async () => {},
    onRequestDone: metrics.requestDone,
    shedding: { loopDelayMs: 0, heapPercent: 0, onShed: () => {} },
    receiveTimeoutMs: 30_000,
  });
}

/** An SQL statement with its parameters. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The statements of a request, and the size of its response. */
interface Recorded {
  readonly statements: readonly Statement[];
  readonly bytes: number;
}

/** Runs requests without a port and records their statements. */
export interface Recorder {
  readonly record: (path: string) => Promise<Recorded>;
  readonly close: () => Promise<void>;
}

export async function openRecorder(url: string): Promise<Recorder> {
  let sent: Statement[] = [];
  const isCluster = await findCluster(url, 'auto');
  const Dialect = isCluster ? ClusterDialect : PooledDialect;
  const pool = openPgPool({ url, size: 1, applicationName: 'bench' });
  pool.on('connect', (client) =>
    record(client as unknown as FailFastClient, (statement) => sent.push(statement)),
  );
  const kysely = new Kysely<Tables>({ dialect: new Dialect({ pool }) });
  const log = { info() {}, warn: console.error, error: console.error };
  const database = createDatabase({ url, replicaUrls: [], poolSize: 1, isCluster, log });
  const app = await createBenchApp(database, (work) => work(kysely), 'silent');
  return {
    async record(path) {
      sent = [];
      const { statusCode, body } = await app.inject(path);
      if (statusCode !== 200) throw new Error(`${path} returned ${body}`);
      return { statements: sent, bytes: Buffer.byteLength(body) };
    },
    async close() {
      await app.close();
      await kysely.destroy();
      await database.close();
    },
  };
}

/** Tells the statements of a connection, with those that begin and end a snapshot. */
function record(client: FailFastClient, tell: (statement: Statement) => void): void {
  const { query, beginSnapshot } = client;
  client.query = (...args: unknown[]) => {
    const [sql, parameters = []] = args;
    if (typeof sql === 'string') tell({ sql, parameters: parameters as unknown[] });
    return Reflect.apply(query, client, args);
  };
  client.beginSnapshot = async (options) => {
    tell({ sql: `begin isolation level repeatable read read only; ${options.first}`, parameters: [] });
    const snapshot = await beginSnapshot.call(client, options as never);
    const end = (): Promise<void> => {
      tell({ sql: 'rollback', parameters: [] });
      return snapshot.end();
    };
    return { ...snapshot, end };
  };
}
