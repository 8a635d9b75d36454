import type { PayerBudget } from '../lib/payer-budget.ts';
import type { GlobalConfig } from '../lite/global-config.ts';
import { ShardProofCache } from '../lite/methods/proofs.ts';
import { createLiveCaches } from '../live/caches.ts';
import { watchNetworkVersion } from '../live/config.ts';
import type { MessageListener } from '../live/external-messages.ts';
import { createResender } from '../live/send-messages.ts';
import type { LivePorts } from '../live/session.ts';
import {
  createLiteMetrics,
  createVmMetrics,
  type LiteGroupStats,
  type VmMetrics,
  type VmStats,
} from '../observe/chain-metrics.ts';
import type { Metrics } from '../observe/metrics.ts';
import { createResultCache, type ResultCache } from '../v2/cache.ts';
import { createVm, createVmBudget, defaultThreads, TVM_VERSION } from '../vm/vm.ts';
import {
  type GroupsOptions,
  groupStats,
  type LiteServers,
  openLiteServers,
  poolMetrics,
} from './lite-servers.ts';

/** Access to the chain: lite servers, virtual machine and caches. */
export interface ChainAccess {
  readonly lite: LiteServers;
  /** The ports of the live room. */
  readonly ports: LivePorts;
  /** Sets the listener for messages that are sent. */
  readonly onMessage: (listener: MessageListener) => void;
  /** Cached results of v2. */
  readonly cache: ResultCache;
  readonly liteStats: () => LiteGroupStats[];
  readonly vmStats: () => VmStats;
  /** How much TVM time callers may use, whatever it is for. */
  readonly vmBudget: PayerBudget;
  readonly vmMetrics: Pick<VmMetrics, 'threadTime' | 'timeSpent'>;
  /** Closes the virtual machine, then the connections. */
  readonly close: () => Promise<void>;
}

interface AccessOptions extends GroupsOptions {
  readonly metrics: Metrics;
}

/** Opens the lite servers and the virtual machine of the settings. */
export async function openChainAccess(options: AccessOptions): Promise<ChainAccess> {
  const { settings, metrics, log } = options;
  const liteMetrics = createLiteMetrics(metrics.registry);
  const vmMetrics = createVmMetrics(metrics.registry);
  const metricsOf = (group: string, config: GlobalConfig) => poolMetrics(liteMetrics, group, config);
  const lite = await openLiteServers({ ...options, metricsOf });
  const threads = settings.vmThreads === 'auto' ? defaultThreads() : settings.vmThreads;
  const vmBudget = createVmBudget({ msPerRps: settings.rateLimit ? settings.vmMsPerRps : undefined });
  const vm = createVm({
    log,
    metrics: vmMetrics,
    threads,
    heavyThreads: Math.max(1, Math.floor(threads / 2)),
    budget: vmBudget,
  });
  const clock = () => Date.now() / 1000;
  const caches = createLiveCaches();
  const resender = createResender();
  let listener: MessageListener | undefined;
  const cache = createResultCache();
  lite.onRenew(cache.clear);
  lite.onRenew(resender.clear);
  const check = { verify: settings.liteVerify, shardProofs: new ShardProofCache() };
  const unwatch = watchNetworkVersion({ pool: lite.pool(undefined), check, caches, log });
  const liteStats = () => [...lite.pools].map(([group, pool]) => groupStats(group, pool, clock()));
  const vmStats = () => ({
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
    },
    onMessage: (one) => {
      listener = one;
    },
    cache,
    liteStats,
    vmStats,
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
