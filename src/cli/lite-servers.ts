import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import type { GlobalConfig } from '../lite/global-config.ts';
import type { LitePool } from '../lite/pool.ts';
import type { PoolMetrics } from '../lite/pool-metrics.ts';
import { createRenewablePool, type RenewablePool } from '../lite/renewable-pool.ts';
import { EVERYBODY, type LiteGroup, readLiteGroups } from './lite-groups.ts';
import { openPool } from './open-pool.ts';

/** The lite servers that answers come from: everybody's, and those that a plan has to itself. */
export interface LiteServers {
  /** The pool of a group; without one, everybody's. */
  readonly pool: (group: string | undefined) => LitePool;
  /** All pools by the names of their groups, everybody's first. */
  readonly pools: ReadonlyMap<string, LitePool>;
  /** Names of the plans that have a group. */
  readonly privatePlans: ReadonlySet<string>;
  /** Forgets what is known of the chain and begins anew, because it went back; those who listen hear of it. */
  readonly renew: () => Promise<void>;
  readonly onRenew: (listener: () => void) => void;
  /** Waits until a server of everybody's is live, but not longer than a time; never throws. */
  readonly settle: (timeoutMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface LiteServersOptions {
  readonly settings: Settings;
  /** Whether the local chain runs in this process. */
  readonly isChainHere: boolean;
  readonly log: Log;
  readonly metricsOf: (group: string, config: GlobalConfig) => PoolMetrics;
}

const LOOK_EVERY_MS = 1000;

/** Opens the pools that the settings name. No server needs to be there; a config that cannot be had is a StartError. */
export async function openLiteServers(options: LiteServersOptions): Promise<LiteServers> {
  const { settings, log, metricsOf } = options;
  const groups = await readLiteGroups(options);
  const pools = new Map<string, RenewablePool>();
  const listeners = new Set<() => void>();

  async function open({ name, config: read }: LiteGroup): Promise<LitePool> {
    const config = await read();
    return openPool({
      ...{ config, log, metrics: metricsOf(name, config) },
      verify: settings.liteVerify && config.liteServers.length > 0,
      memoryPath: memoryPath(settings, name),
      requestMs: settings.requestTimeoutMs,
    });
  }

  async function renew(): Promise<void> {
    await Promise.all([...pools.values()].map((pool) => pool.renew()));
    for (const listener of listeners) listener();
  }

  async function close(): Promise<void> {
    clearInterval(watch);
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  }

  function look(): void {
    if (groups.some((group) => group.isStale()))
      renew().catch((error) => log.warn({ err: error }, 'The local chain cannot be followed'));
  }

  let watch: NodeJS.Timeout | undefined;
  try {
    for (const group of groups) pools.set(group.name, await createRenewablePool(() => open(group)));
    watch = setInterval(look, LOOK_EVERY_MS).unref();
  } catch (error) {
    await close();
    throw error;
  }
  const everybody = pools.get(EVERYBODY)!;
  return {
    pool: (group) => (group === undefined ? everybody : (pools.get(group) ?? everybody)),
    pools,
    privatePlans: new Set(Object.keys(settings.liteGroups)),
    renew,
    onRenew: (listener) => void listeners.add(listener),
    settle: async (timeoutMs) => {
      if (everybody.servers().length > 0)
        await everybody.waitForSeqno(0, { timeoutMs }).catch(() => undefined);
    },
    close,
  };
}

/** A local chain may go back, and is short enough to be proven from its first block at every start. */
function memoryPath({ dataDir, network }: Settings, group: string): string | undefined {
  return network === 'localnet' ? undefined : join(dataDir, 'lite', `proven-${network}-${group}.json`);
}
