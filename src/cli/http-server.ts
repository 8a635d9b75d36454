import { createGate } from '../access/gate.ts';
import { createKeyDirectory } from '../access/key-directory.ts';
import { createMemoryRateStore, type RateStore } from '../access/rate-store.ts';
import { createRedisRateStore } from '../access/redis-rate-store.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import { createApp } from '../http/app.ts';
import { listen } from '../http/listen.ts';
import { createLocalnetRoutes, type LocalnetControl } from '../http/plugins/localnet-control.ts';
import { addServiceRoutes } from '../http/plugins/service-routes.ts';
import { createHealth } from '../observe/health.ts';
import type { Logger } from '../observe/logger.ts';
import type { Metrics } from '../observe/metrics.ts';
import { createRequestLineWriter } from '../observe/request-line.ts';
import type { Shutdown } from '../observe/shutdown.ts';
import { createV2Interface } from '../v2/interface.ts';
import type { V3Ports } from '../v3/call.ts';
import { createEmulateInterface } from '../v3/emulate/emulate-interface.ts';
import { createV3Interface } from '../v3/interface.ts';
import { createMetadataWishes } from '../v3/metadata-wishes.ts';
import type { ChainAccess } from './chain-access.ts';
import { checkIndexing } from './index-health.ts';
import type { Indexing } from './indexing.ts';
import { startMetricsServer } from './metrics-server.ts';
import { packageVersion } from './package-version.ts';
import { openPendingParts } from './pending-parts.ts';
import { processStatus } from './process-status.ts';
import { createV3Live } from './v3-live.ts';

export interface HttpServerParts {
  readonly settings: Settings;
  readonly database: Database;
  readonly chain: ChainAccess;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly shutdown: Shutdown;
  /** Commands to the local chain, where one runs in this process. */
  readonly localnet?: LocalnetControl | undefined;
  /** The indexer, where one runs in this process. */
  readonly indexing?: Indexing | undefined;
}

/** Puts the parts together that answer HTTP, opens the ports and returns the address of the main one. */
export async function startHttpServer({
  settings,
  database,
  chain,
  metrics,
  log,
  shutdown,
  localnet,
  indexing,
}: HttpServerParts): Promise<string> {
  const version = packageVersion();
  const { network, metricsPort, defaultLimit, maxLimit, maxBatch } = settings;
  metrics.observePools(() => database.stats());
  const health = createHealth({
    onChange: ({ name, status, error }) =>
      status === 'ok' ? log.info({ name }, 'Works again') : log.warn({ name, err: error }, 'Does not work'),
  });
  health.add('database', () => database.ping());
  health.add('lite servers', () => chain.lite.pool(undefined).check());
  if (indexing !== undefined) health.add('index', async () => checkIndexing(indexing));

  const keys = createKeyDirectory({ database, log });
  shutdown.add('key directory', () => keys.close());
  const store = await openRateStore(settings, log, metrics);
  shutdown.add('rate store', () => store.close());
  const gate = createGate({
    keys,
    store,
    network,
    anonymousRps: settings.anonymousRps,
    privatePlans: chain.lite.privatePlans,
    rateLimit: settings.rateLimit,
    report: { refused: metrics.refused },
  });

  const { emulation, pending } = await openPendingParts({
    ...{ settings, chain, database, metrics, log, shutdown },
  });

  const v3: V3Ports = {
    database,
    testOnly: isTestNetwork(network),
    imgproxyUrl: settings.imgproxyUrl,
    wishes: createMetadataWishes({ database, log }),
    live: createV3Live(chain.ports),
    liveFallback: settings.v3Live,
    networkVersion: () => chain.ports.memory.globalVersion,
    pending: pending?.traces,
  };
  const app = await createApp({
    log,
    gate,
    interfaces: [
      {
        prefix: '/api/v2',
        plugin: createV2Interface({ ports: chain.ports, cache: chain.cache, gate, maxBatch }),
      },
      {
        prefix: '/api/v3',
        plugin: createV3Interface({ ports: v3, limits: { defaultLimit, maxLimit } }),
      },
      { prefix: '/api/emulate', plugin: createEmulateInterface({ ports: v3, emulation }) },
      ...(localnet === undefined
        ? []
        : [{ prefix: '/localnet', plugin: createLocalnetRoutes(localnet, settings.localnetControl) }]),
    ],
    service: async (service) =>
      addServiceRoutes(service, {
        version,
        network,
        ready: health.ready,
        status: () =>
          processStatus({
            ...{ version, network, chain, progress: indexing?.progress() },
            ...{ classification: indexing?.classification(), pending: pending?.figures() },
          }),
        ...(metricsPort === 'off' ? { metrics } : {}),
      }),
    onRequestDone: metrics.requestDone,
    writeLine: createRequestLineWriter(log),
    shedding: {
      loopDelayMs: settings.shedLoopDelayMs,
      heapPercent: settings.shedHeapPercent,
      onShed: () => metrics.refused('overloaded'),
    },
    trustProxy: settings.trustProxy,
    pathPrefix: settings.pathPrefix,
    cors: settings.cors,
    compress: settings.compress,
    receiveTimeoutMs: settings.receiveTimeoutMs,
  });
  shutdown.add('http server', () => {
    health.stop();
    return app.close();
  });
  await startMetricsServer({ settings, metrics, log, shutdown });
  return listen(app, { host: settings.host, port: settings.port, setting: 'PORT' });
}

/** Of a custom network nobody knows; addresses are then shown as those of mainnet are. */
function isTestNetwork(network: Settings['network']): boolean {
  return network === 'testnet' || network === 'localnet';
}

function openRateStore(settings: Settings, log: Logger, metrics: Metrics): Promise<RateStore> | RateStore {
  if (settings.redisUrl === undefined) return createMemoryRateStore();
  return createRedisRateStore({
    url: settings.redisUrl,
    log,
    report: { storeError: () => metrics.rateStoreError() },
  });
}
