import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import { createConnection } from '../lite/connection.ts';
import type { GlobalConfig } from '../lite/global-config.ts';
import { createHeadProofStore, createHeadProver, type HeadProofStore } from '../lite/head-proof.ts';
import { createPool, type LitePool, type ProveHead } from '../lite/pool.ts';
import type { PoolMetrics } from '../lite/pooled-server.ts';
import { createRenewablePool, type RenewablePool } from '../lite/renewable-pool.ts';
import type { LiteGroupStats, LiteMetrics } from '../observe/chain-metrics.ts';
import { DEFAULT_GROUP, type LiteGroup } from './lite-groups.ts';

/** How long a server waits for a first lite server; requests before that fail. */
export const SETTLE_MS = 3000;

/** The lite server pools: the public one, and those of plans. */
export type LiteServers = Awaited<ReturnType<typeof openLiteServers>>;

interface LiteServersOptions {
  readonly settings: Settings;
  readonly groups: readonly LiteGroup[];
  readonly log: Log;
  /** Left out where nobody reads them. */
  readonly metrics?: LiteMetrics;
}

const LOOK_EVERY_MS = 1000;

/** Opens the pools of the groups, whose servers may be down, and stores copies of configs that were downloaded. */
export async function openLiteServers({ settings, groups, log, metrics }: LiteServersOptions) {
  const pools = new Map<string, RenewablePool>();
  const listeners = new Set<() => void>();

  async function open({ name, config: read }: LiteGroup): Promise<LitePool> {
    const config = await read();
    const isProven = settings.liteVerify && config.liteServers.length > 0;
    return createPool({
      config,
      connect: createConnection,
      ...(metrics && { metrics: poolMetrics(metrics, name, config) }),
      log,
      timing: { requestMs: settings.requestTimeoutMs },
      proveHead: isProven ? await createProof(config, memoryPath(settings, name), log) : undefined,
    });
  }

  /** Starts over after the chain went back to an earlier block, and notifies listeners. */
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
      renew().catch((error) => log.warn({ err: error }, 'Failed to follow the local chain'));
  }

  let watch: NodeJS.Timeout | undefined;
  try {
    for (const group of groups) await group.storeCopy();
    for (const group of groups) pools.set(group.name, await createRenewablePool(() => open(group)));
    watch = setInterval(look, LOOK_EVERY_MS).unref();
  } catch (error) {
    await close();
    throw error;
  }
  const everybody = pools.get(DEFAULT_GROUP)!;
  return {
    /** The pool of a group; the public pool if the group has none. */
    pool: (group: string | undefined): LitePool => (group && pools.get(group)) || everybody,
    /** All pools by group, the public one first. */
    pools: pools as ReadonlyMap<string, LitePool>,
    privatePlans: new Set(Object.keys(settings.liteGroups)),
    renew,
    onRenew: (listener: () => void) => void listeners.add(listener),
    /** Waits for a live server of the public pool, up to a timeout; never rejects. */
    settle: async (timeoutMs: number) => {
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

const NO_MEMORY: HeadProofStore = { load: async () => undefined, save: async () => {} };

/** `memoryPath` is where the last proven key block is kept; undefined if proofs from the first block are short. */
async function createProof(
  config: GlobalConfig,
  memoryPath: string | undefined,
  log: Log,
): Promise<ProveHead> {
  const memory = memoryPath === undefined ? NO_MEMORY : createHeadProofStore(memoryPath, log);
  const prover = await createHeadProver({ anchor: config.initBlock, store: memory, log });
  return ({ query }, block) => prover.prove(query, block);
}

/** The pool identifies servers by address; public metrics by index in the config. */
function poolMetrics(metrics: LiteMetrics, group: string, { liteServers }: GlobalConfig): PoolMetrics {
  const counts = metrics.countsOf(group);
  const positions = new Map(liteServers.map(({ host, port, index }) => [`${host}:${port}`, index]));
  return {
    queryDone: counts.queryDone,
    serverFailed: (server, fault) => counts.serverFailed(positions.get(server) ?? -1, fault),
  };
}

/** The newest masterchain block of a pool, and when it was created; undefined before the first. */
export function headOf(pool: LitePool): { seqno: number; utime: number | undefined } | undefined {
  const seqno = pool.head?.seqno;
  if (seqno === undefined) return undefined;
  const { utime } =
    pool.servers().find((server) => server.seqno === seqno && server.utime !== undefined) ?? {};
  return { seqno, utime };
}

export function groupStats(group: string, pool: LitePool, unixSeconds: number): LiteGroupStats {
  const { seqno: headSeqno, utime } = headOf(pool) ?? {};
  const headAgeSeconds = utime === undefined ? undefined : Math.max(0, unixSeconds - utime);
  return { group, headSeqno, headAgeSeconds, servers: pool.servers() };
}
