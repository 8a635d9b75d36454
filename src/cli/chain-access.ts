import type { Settings } from '../config/settings.ts';
import { ShardProofCache } from '../lite/methods/proofs.ts';
import { createLiveCaches } from '../live/caches.ts';
import { watchNetworkVersion } from '../live/config.ts';
import type { MessageListener } from '../live/external-messages.ts';
import { createResender } from '../live/send-messages.ts';
import type { LivePorts } from '../live/session.ts';
import { createLiteMetrics, createVmMetrics, type VmStats } from '../observe/chain-metrics.ts';
import type { Logger } from '../observe/logger.ts';
import type { Metrics } from '../observe/metrics.ts';
import { createResultCache } from '../v2/cache.ts';
import { createVm, createVmBudget, defaultThreads, TVM_VERSION } from '../vm/vm.ts';
import { type Place, partOf } from '../workers/place.ts';
import type { LiteGroup } from './lite-groups.ts';
import { groupStats, openLiteServers } from './lite-servers.ts';

export type ChainAccess = Awaited<ReturnType<typeof openChainAccess>>;

interface AccessOptions {
  readonly settings: Settings;
  readonly groups: readonly LiteGroup[];
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly place?: Place | undefined;
}

export async function openChainAccess(options: AccessOptions) {
  const { settings, metrics, log, place } = options;
  const liteMetrics = createLiteMetrics(metrics.registry);
  const vmMetrics = createVmMetrics(metrics.registry);
  const lite = await openLiteServers({ ...options, metrics: liteMetrics });
  const threads = partOf(settings.vmThreads === 'auto' ? defaultThreads() : settings.vmThreads, place);
  const vmBudget = createVmBudget({
    msPerRps: settings.rateLimit ? settings.vmMsPerRps : undefined,
    share: place?.budget('vm'),
  });
  const vm = createVm({
    log,
    metrics: vmMetrics,
    threads,
    heavyThreads: Math.max(1, Math.floor(threads / 2)),
    budget: vmBudget,
  });
  const clock = () => Date.now() / 1000;
  const caches = createLiveCaches(place?.workers);
  const resender = createResender();
  let listener: MessageListener | undefined;
  const cache = createResultCache(place && { parts: place.workers });
  lite.onRenew(cache.clear);
  lite.onRenew(resender.clear);
  const check = { verify: settings.liteVerify, shardProofs: new ShardProofCache() };
  const unwatch = watchNetworkVersion({ pool: lite.pool(undefined), check, caches, log });
  const liteStats = () => [...lite.pools].map(([group, pool]) => groupStats(group, pool, clock()));
  const vmStats = (): VmStats => ({
    ...vm.state(),
    tvmVersion: TVM_VERSION,
    networkVersion: caches.globalVersion || undefined,
  });
  liteMetrics.observe(liteStats);
  vmMetrics.observe(vmStats);
  return {
    lite,
    ports: {
      clock,
      pool: lite.pool,
      check,
      vm,
      caches,
      resender,
      getMethods: settings.getMethods,
      pending: { accepted: (message, payer) => listener?.accepted(message, payer) },
      requestMs: settings.requestTimeoutMs,
    } satisfies LivePorts,
    /** Sets the listener for messages that are sent. */
    onMessage: (one: MessageListener) => {
      listener = one;
    },
    cache,
    liteStats,
    vmStats,
    /** How much TVM time callers may use, whatever it is for. */
    vmBudget,
    vmMetrics,
    close: async () => {
      unwatch();
      resender.close();
      await vm.close();
      await lite.close();
    },
  };
}
