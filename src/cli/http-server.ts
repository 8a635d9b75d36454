import type { FastifyPluginAsync } from 'fastify';
import { createKeyDirectory, type KeyDirectory, keyDigest } from '../access/keys.ts';
import { createOperatorAccess } from '../access/operator.ts';
import { createPageTokens } from '../access/page-tokens.ts';
import { createAccess } from '../access/plugin.ts';
import { createMemoryRateStore, createRedisRateStore, type RateStore } from '../access/rate-limit.ts';
import { createUsageCounter, type UsageCounter } from '../access/usage.ts';
import { createAdminRoutes } from '../admin/admin-routes.ts';
import { createDashboardRoutes } from '../admin/dashboard-routes.ts';
import { createMeRoutes } from '../admin/me-routes.ts';
import type { ClassificationProgress } from '../classify/classifier.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import { createApp, drainConnections } from '../http/app.ts';
import { affordableConnections } from '../http/connections.ts';
import { createDocs, type LocalDocs } from '../http/docs.ts';
import { listen } from '../http/listen.ts';
import { createLocalnetRoutes, type LocalnetControl } from '../http/localnet-routes.ts';
import { addServiceRoutes } from '../http/service-routes.ts';
import { createMetadataQueue } from '../index/read/address-info.ts';
import { requestReindex } from '../index/write/reindex.ts';
import type { IndexProgress } from '../ingest/progress.ts';
import { isLoopback } from '../lib/host-name.ts';
import { createPayerBudget } from '../lib/payer-budget.ts';
import type { ServerReport } from '../lite/pool.ts';
import { createLiveChain } from '../live/chain.ts';
import { runsRemotely } from '../live/get-methods.ts';
import { createSuspensions } from '../live/suspensions.ts';
import { chainFolder, chainPaths } from '../localnet/chain/chain-folder.ts';
import { createHealth } from '../observe/health.ts';
import type { Logger } from '../observe/logger.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { PendingStats } from '../observe/pending-metrics.ts';
import type { StreamStats } from '../observe/stream-metrics.ts';
import { createV2Interface } from '../v2/interface.ts';
import { createEmulateInterface } from '../v3/emulate-interface.ts';
import { createV3Interface } from '../v3/interface.ts';
import type { V3Ports } from '../v3/operation.ts';
import { isNewerThanEmulator, TVM_VERSION } from '../vm/vm.ts';
import { createWebRoutes } from '../web/web-routes.ts';
import { shareBlockedAddresses, takeConnections } from '../workers/connections.ts';
import type { Place } from '../workers/place.ts';
import { partOfStore } from '../workers/rates.ts';
import type { ChainAccess } from './chain-access.ts';
import { documentedRoutes } from './documented-routes.ts';
import type { IndexingView } from './indexing.ts';
import type { KeyFiles } from './key-files.ts';
import { headOf } from './lite-servers.ts';
import { type ServerParts, startMetricsServer } from './open-process.ts';
import { openWebhooks, startWebhooks } from './open-webhooks.ts';
import { packageVersion } from './package-version.ts';
import { openPendingParts } from './pending.ts';
import { readLimitsOf } from './read-limits.ts';
import {
  createDiskCheck,
  createHeadCheck,
  createIndexCheck,
  createLocalChainCheck,
  type LocalChainState,
} from './readiness.ts';
import { openStreaming } from './streaming.ts';
import { metricsPageOf, openDashboard, shareState, speakForAll, uptimeSeconds } from './worker-parts.ts';

interface HttpServerParts extends ServerParts {
  readonly chain: ChainAccess;
  readonly localnet?:
    | { readonly control: LocalnetControl; readonly state: () => LocalChainState }
    | undefined;
  readonly keys: KeyFiles;
  readonly indexing?: IndexingView | undefined;
}

/** Builds the HTTP server, opens its ports and returns the main URL; one of several processes has no ports. */
export async function startHttpServer(parts: HttpServerParts): Promise<string> {
  const { settings, database, chain, metrics, log, shutdown, localnet, indexing, place } = parts;
  const shared = place && shareState(place, parts);
  const localKey = parts.keys.local;
  const version = packageVersion();
  const { network, metricsPort, defaultLimit, maxLimit, maxBatch } = settings;
  metrics.observePools(() => database.stats());
  const health = createHealth({
    onChange: ({ name, status, text, error }) => {
      if (status === 'ok') log.info({ name }, 'Health check recovered');
      else if (status === 'warning') log.warn({ name, text }, 'Health check warning');
      else log.warn({ name, err: error }, 'Health check failed');
    },
  });
  health.add('database', () => database.ping());
  health.add('lite servers', () => chain.lite.pool(undefined).check());
  const head = () => headOf(chain.lite.pool(undefined));
  const { headMaxAge } = settings;
  health.add('head', createHeadCheck({ database, head, maxAgeMs: headMaxAge, clock: chain.ports.clock }));
  const progress = indexing?.progress;
  health.add('index', createIndexCheck({ database, network, head, maxLagMs: headMaxAge, progress }));
  const { dataDir, diskMinFreeMb } = settings;
  const minFreeBytes = diskMinFreeMb === 0 ? undefined : diskMinFreeMb * 1e6;
  health.add('disk', createDiskCheck({ database, dataDir, minFreeBytes }));
  if (localnet !== undefined) health.add('local chain', createLocalChainCheck({ state: localnet.state }));

  const keys = createKeyDirectory({ database, log });
  shutdown.add('key directory', () => keys.close());
  const usage = openUsage(settings, database, log);
  if (usage !== undefined) shutdown.add('usage counter', usage.close);
  const store = await openRateStore(settings, log, metrics, shared?.rates.store);
  shutdown.add('rate store', () => store.close());
  const pageTokens = createPageTokens({ secret: shared?.pageSecret });
  const access = createAccess({
    keys,
    store,
    publicStore: shared && partOfStore(shared.rates.store, 'public '),
    guesses: shared?.rates.guesses,
    network,
    anonymousRps: settings.anonymousRps,
    privatePlans: chain.lite.privatePlans,
    rateLimit: settings.rateLimit,
    pageTokens,
    keyHint:
      localKey && `the key of this local chain is in ${localKey.path}, send it in the header X-API-Key`,
    onRefused: metrics.refused,
  });

  const { emulation, pending } = await openPendingParts(parts);

  const live = createLiveChain(chain.ports);
  const v3: V3Ports = {
    database,
    testOnly: isTestNetwork(network),
    imgproxyUrl: settings.imgproxyUrl,
    metadataQueue: createMetadataQueue({ database, log }),
    reindex: {
      request: (accounts) => database.write((db) => requestReindex(db, accounts)),
      budget: createPayerBudget({
        unitsPerRps: settings.rateLimit ? settings.reindexPerRps / 60 : undefined,
        savedSeconds: 60,
        minSaved: 10,
        expected: 1,
        share: place?.budget('reindex'),
      }),
    },
    live,
    suspensions: createSuspensions({ live, clock: chain.ports.clock }),
    liveFallback: settings.v3Live,
    networkVersion: () => chain.ports.caches.globalVersion,
    emulatorVersion: TVM_VERSION,
    pending: pending?.traces,
  };
  const streams = await openStreaming({ ...parts, ports: v3, pending: pending?.traces, usage });
  const webhooks =
    streams === undefined || !settings.webhooks
      ? undefined
      : startWebhooks({ ...parts, streaming: streams.streaming, usage });
  const failures = shared && partOfStore(shared.rates.store, 'admin ');
  const operator = openOperatorAccess(settings, parts.keys, keys, failures);
  place?.channel.on('flushUsage', () => usage?.flush());
  const flushUsage = async () => {
    await (place === undefined ? usage?.flush() : place.askAll('flushUsage'));
  };
  const dashboard = openDashboard({ ...parts, version, streams: () => streams?.stats() });
  const status = () => processStatus(parts, version, pending?.figures(), streams?.stats());
  const localDocs =
    network === 'localnet' ? await openLocalDocs(settings, chain, (url) => inject(url)) : undefined;
  const docsAt = (prefix: keyof typeof documentedRoutes): FastifyPluginAsync => {
    const { options, routes } = documentedRoutes[prefix];
    return createDocs({ ...options, local: localDocs }, routes);
  };
  const plugins: Readonly<Record<string, FastifyPluginAsync | undefined>> = {
    '/api/v2': createV2Interface({
      ports: chain.ports,
      cache: chain.cache,
      maxBatch,
      emulatorVersion: TVM_VERSION,
      isStrict: settings.strictParams,
      localDocs,
    }),
    '/api/v3': createV3Interface({
      ports: v3,
      limits: { defaultLimit, maxLimit },
      isStrict: settings.strictParams,
      localDocs,
      cacheParts: place?.workers,
      ...readLimitsOf(settings, metrics, place),
    }),
    '/api/emulate': createEmulateInterface({ ports: v3, emulation, localDocs }),
    '/api/streaming': streams?.plugin,
    '/api/streaming/v2': streams && docsAt('/api/streaming/v2'),
    '/api/webhooks': webhooks,
    '/api/me': withDocs(docsAt('/api/me'), createMeRoutes({ database, flushUsage })),
    '/api/admin': withDocs(
      docsAt('/api/admin'),
      createAdminRoutes({ database, flushUsage, webhooks: openWebhooks(settings, database) }, operator),
    ),
    '/api/dashboard': createDashboardRoutes(dashboard, operator),
    '/localnet':
      localnet &&
      createLocalnetRoutes({
        control: localnet.control,
        check: settings.localnetControl === 'all' ? undefined : operator.checkLocalChain,
        docs: localDocs,
      }),
    '/': createWebRoutes({
      version,
      network,
      coin: settings.coinName,
      testOnly: isTestNetwork(network),
      hasLocalChain: localnet !== undefined,
      hasStreaming: streams !== undefined,
      chainTime: () => head()?.utime,
      imgproxyUrl: settings.imgproxyUrl,
      anonymousRps: settings.rateLimit ? settings.anonymousRps : undefined,
      pageToken: settings.rateLimit ? pageTokens.issue : undefined,
      localKeyFile: localKey?.path,
    }),
  };
  const app = await createApp({
    log,
    access,
    interfaces: Object.entries(plugins).flatMap(([prefix, plugin]) => (plugin ? [{ prefix, plugin }] : [])),
    service: async (service) =>
      addServiceRoutes(service, {
        ...(place === undefined ? { ready: health.ready, status } : speakForAll(place, { health, status })),
        ...(metricsPort === 'off' && {
          metrics: { ...metricsPageOf(parts), needKey: !isLoopback(settings.host) },
        }),
      }),
    onRequestDone: metrics.requestDone,
    onCallDone: usage?.count,
    responses: {
      kbPerRps:
        settings.rateLimit && settings.responseKbPerRps !== 'off' ? settings.responseKbPerRps : undefined,
      share: place?.budget('response bytes'),
      onResponse: metrics.responseSent,
      onRefused: () => metrics.refused('response_bytes'),
    },
    shedding: {
      loopDelayMs: settings.shedLoopDelayMs,
      heapPercent: settings.shedHeapPercent,
      onShed: () => metrics.refused('overloaded'),
    },
    ...connectionLimitsOf(settings, place),
    onConnectionRefused: () => metrics.refused('connections'),
    trustProxy: settings.trustProxy,
    pathPrefix: settings.pathPrefix,
    cors: settings.cors,
    compress: settings.compress,
    receiveTimeoutMs: settings.receiveTimeoutMs,
  });
  const inject = async (url: string) => {
    const headers = localKey === undefined ? {} : { 'x-api-key': localKey.key };
    const response = await app.inject({ url, headers });
    return response.statusCode === 200 ? response.json() : undefined;
  };
  shutdown.add('http server', () => {
    health.stop();
    return app.close();
  });
  const drain = (): void => {
    health.stop();
    drainConnections(app);
  };
  shutdown.onDrain(drain);
  place?.channel.on('drain', drain);
  if (place !== undefined) {
    await app.ready();
    takeConnections(app.server, place.channel);
    return '';
  }
  await startMetricsServer(parts, settings);
  return listen(app, { host: settings.host, port: settings.port, setting: 'PORT' });
}

/** Connections of this process: workers have equal parts, and their parent counts those of an address. */
function connectionLimitsOf({ maxConnections, webhookRequests }: Settings, place: Place | undefined) {
  const wanted = maxConnections === 'auto' ? undefined : maxConnections;
  const part = affordableConnections(wanted, webhookRequests, place?.workers);
  if (place === undefined) return { maxConnections: part };
  const blockedAddresses = shareBlockedAddresses(place.channel);
  return { maxConnections: part, maxPerAddress: part, blockedAddresses };
}

function openUsage(settings: Settings, database: Database, log: Logger): UsageCounter | undefined {
  const { usageFlush: flushMs, usageRetention: retentionSeconds } = settings;
  return settings.usage ? createUsageCounter({ database, log, flushMs, retentionSeconds }) : undefined;
}

function openOperatorAccess(
  { adminKey, allowedHosts, host }: Settings,
  { local, admin }: KeyFiles,
  keys: KeyDirectory,
  failures: RateStore | undefined,
) {
  const localHint = local && `send the key in ${local.path} in the header X-API-Key`;
  const adminHint =
    admin === undefined
      ? 'ADMIN_KEY is its setting, X-Admin-Key its header'
      : 'it is in the file admin-key of DATA_DIR, send it in the header X-Admin-Key';
  return createOperatorAccess({
    adminKey: adminKey ?? admin?.key,
    localKey: local?.key,
    // A database that does not respond is no reason to lock the operator out.
    isLocalKeyValid: () =>
      keys.find(keyDigest(local!.key)).then(
        (key) => key !== null,
        () => true,
      ),
    hints: {
      administration: (adminKey === undefined ? localHint : undefined) ?? adminHint,
      localChain: localHint ?? adminHint,
    },
    host,
    allowedHosts,
    failures,
  });
}

/** The docs of a local chain, whose code is loaded on demand. */
async function openLocalDocs(
  { dataDir }: Settings,
  chain: ChainAccess,
  ask: (url: string) => Promise<unknown>,
): Promise<LocalDocs> {
  const { createDemoExamples } = await import('./demo-examples.ts');
  return {
    exampleValues: createDemoExamples({
      path: chainPaths(chainFolder(dataDir)).demo,
      zeroState: () => chain.lite.pool(undefined).zeroState.rootHash.toString('hex'),
      ask,
      clock: chain.ports.clock,
    }),
  };
}

/** A custom network is unknown: addresses have the mainnet form. */
function isTestNetwork(network: Settings['network']): boolean {
  return network === 'testnet' || network === 'localnet';
}

/** Calls are counted in Redis, by the parent of several workers, or in this process. */
function openRateStore(
  settings: Settings,
  log: Logger,
  metrics: Metrics,
  own: RateStore = createMemoryRateStore(),
): Promise<RateStore> | RateStore {
  if (settings.redisUrl === undefined) return own;
  return createRedisRateStore({
    url: settings.redisUrl,
    log,
    onError: () => metrics.rateStoreError(),
    fallback: own,
  });
}

/** The public `/status`: state of the process and its lite servers, without their addresses. */
function processStatus(
  { settings, chain, indexing, place }: HttpServerParts,
  version: string,
  pending: PendingStats | undefined,
  streams: StreamStats | undefined,
) {
  const { networkVersion, tvmVersion, threads, busy, queued } = chain.vmStats();
  return {
    version,
    network: settings.network,
    uptime_seconds: Math.floor(uptimeSeconds(place)),
    lite: {
      verify: chain.ports.check.verify,
      groups: chain.liteStats().map(({ group, headSeqno, headAgeSeconds }) => {
        const servers = chain.lite.pools.get(group)!.servers();
        return {
          name: group,
          head_seqno: headSeqno,
          head_age_seconds: headAgeSeconds === undefined ? undefined : Math.round(headAgeSeconds),
          live: servers.filter(({ state }) => state === 'live').length,
          servers: servers.map(describeServer),
        };
      }),
    },
    vm: {
      get_methods: chain.ports.getMethods,
      get_methods_run: runsRemotely(chain.ports) ? 'remote' : 'local',
      tvm_version: tvmVersion,
      network_version: networkVersion,
      behind: networkVersion === undefined ? undefined : isNewerThanEmulator(networkVersion),
      threads,
      busy,
      queued,
    },
    index: indexing && {
      ...describeProgress(indexing.progress()),
      ...describeClassification(indexing.classification()),
    },
    pending: pending && {
      messages: pending.traces,
      waiting: pending.waiting,
      checked_seqno: pending.checkedSeqno,
      feed_connected: pending.feedConnected,
    },
    streaming: streams && {
      sse: streams.connections.sse,
      websocket: streams.connections.ws,
      watched: streams.watched,
      queued_messages: streams.queued,
      joining: streams.joining,
      last_seqno: streams.lastSeqno,
      last_trace_seqno: streams.lastTraceSeqno,
      lag_seqnos: streams.lagSeqnos,
      lag_trace_seqnos: streams.lagTraceSeqnos,
    },
  };
}

function describeProgress(progress: IndexProgress): object {
  const { etaSeconds } = progress;
  const tenths = (value: number) => Math.round(value * 10) / 10;
  return {
    state: progress.state,
    first_seqno: progress.from,
    last_seqno: progress.followed,
    head_seqno: progress.head,
    lag_seqnos: progress.lag,
    indexed_seqnos: progress.indexedSeqnos,
    percent: tenths(progress.percent),
    gaps: progress.gaps,
    seqnos_per_second: tenths(progress.seqnosPerSecond),
    transactions_per_second: tenths(progress.transactionsPerSecond),
    eta_seconds: etaSeconds === undefined ? undefined : Math.ceil(etaSeconds),
    states_asked: progress.statesRequested,
    missing_accounts: progress.missing,
    // Its text may contain host names, which are not public.
    in_trouble: progress.lastError !== undefined,
  };
}

function describeClassification({ queue }: ClassificationProgress): object {
  return {
    unclassified_traces: queue?.traces,
    unclassified_seqnos: queue?.seqnos,
    actions_lag_seconds: queue && Math.round(queue.oldestSeconds),
  };
}

function describeServer(server: ServerReport): object {
  const { index, state, seqno, lagBlocks, latencyMs, isArchival, oldestSeqno, wrongResponses } = server;
  return {
    index,
    state,
    seqno,
    lag_blocks: lagBlocks,
    latency_ms: Math.round(latencyMs * 10) / 10,
    archival: isArchival,
    oldest_seqno: oldestSeqno,
    wrong_answers: wrongResponses,
  };
}

/** A docs page beside routes of the same prefix, whose hooks are not for it. */
function withDocs(docs: FastifyPluginAsync, routes: FastifyPluginAsync): FastifyPluginAsync {
  return async (app) => {
    await app.register(docs);
    await app.register(routes);
  };
}
