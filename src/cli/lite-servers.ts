import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findPlan, PLANS } from '../access/plans.ts';
import { MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../chain/block-id.ts';
import type { Settings } from '../config/settings.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { createConnection } from '../lite/connection.ts';
import { type GlobalConfig, globalConfigSource, readGlobalConfig } from '../lite/global-config.ts';
import { createHeadProofStore, createHeadProver, type HeadProofStore } from '../lite/head-proof.ts';
import { createPool, type LitePool, type ProveHead } from '../lite/pool.ts';
import type { PoolMetrics } from '../lite/pooled-server.ts';
import { createRenewablePool, type RenewablePool } from '../lite/renewable-pool.ts';
import { chainFolder, chainPaths } from '../localnet/chain/chain-folder.ts';
import type { LiteGroupStats, LiteMetrics } from '../observe/chain-metrics.ts';

/** How long a server waits for a first lite server; requests before that fail. */
export const SETTLE_MS = 3000;

/** The lite server pools: the public one, and those of plans. */
export interface LiteServers {
  /** The pool of a group; the public pool if the group has none. */
  readonly pool: (group: string | undefined) => LitePool;
  /** All pools by group, the public one first. */
  readonly pools: ReadonlyMap<string, LitePool>;
  /** Plans with their own pool. */
  readonly privatePlans: ReadonlySet<string>;
  /** Starts over after the chain went back to an earlier block, and notifies listeners. */
  readonly renew: () => Promise<void>;
  readonly onRenew: (listener: () => void) => void;
  /** Waits for a live server of the public pool, up to a timeout; never rejects. */
  readonly settle: (timeoutMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface LiteServersOptions extends GroupsOptions {
  readonly metricsOf: (group: string, config: GlobalConfig) => PoolMetrics;
}

const LOOK_EVERY_MS = 1000;

/** Opens the pools of the settings. Servers may be down; throws StartError if a config cannot be read. */
export async function openLiteServers(options: LiteServersOptions): Promise<LiteServers> {
  const { settings, log, metricsOf } = options;
  const groups = await readLiteGroups(options);
  const pools = new Map<string, RenewablePool>();
  const listeners = new Set<() => void>();

  async function open({ name, config: read }: LiteGroup): Promise<LitePool> {
    const config = await read();
    const isProven = settings.liteVerify && config.liteServers.length > 0;
    return createPool({
      config,
      connect: createConnection,
      metrics: metricsOf(name, config),
      log,
      timing: { requestMs: settings.requestTimeoutMs },
      proveHead: isProven ? await createProof(config, memoryPath(settings, name), log) : undefined,
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
      renew().catch((error) => log.warn({ err: error }, 'Failed to follow the local chain'));
  }

  let watch: NodeJS.Timeout | undefined;
  try {
    for (const group of groups) pools.set(group.name, await createRenewablePool(() => open(group)));
    watch = setInterval(look, LOOK_EVERY_MS).unref();
  } catch (error) {
    await close();
    throw error;
  }
  const everybody = pools.get(DEFAULT_GROUP)!;
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

/** A group of lite servers: the public ones, or those of a plan. */
export interface LiteGroup {
  /** `everybody` for the public group, or the name of the plan. */
  readonly name: string;
  /** Reads the current config. */
  readonly config: () => Promise<GlobalConfig>;
  /** Whether the config changed since it was last read. */
  readonly isStale: () => boolean;
}

/** Which lite servers a process uses. */
export interface GroupsOptions {
  readonly settings: Settings;
  /** Whether the local chain runs in this process, which then is the only possible chain. */
  readonly isChainHere: boolean;
  readonly log: Log;
}

/** The public group; no plan has this name. */
const DEFAULT_GROUP = 'everybody';

/** Reads the groups of the settings, the public one first; throws StartError if a config cannot be read. */
export async function readLiteGroups({ settings, isChainHere, log }: GroupsOptions): Promise<LiteGroup[]> {
  const { dataDir, network, tonConfig } = settings;
  const isLocal = network === 'localnet' && (isChainHere || tonConfig === undefined);
  const sources = Object.entries(settings.liteGroups);
  for (const [plan] of sources) checkPlan(plan);
  const [everybody, ...others] = await Promise.all([
    isLocal ? undefined : readGlobalConfig({ source: globalConfigSource(network, tonConfig)!, dataDir, log }),
    ...sources.map(([, source]) => readGlobalConfig({ source, setting: 'LITE_GROUPS', dataDir, log })),
  ]);
  const groups = others.map((config, position) => {
    const name = sources[position]![0];
    if (everybody !== undefined && !sameBlock(config!.zeroState, everybody.zeroState))
      throw new StartError(`LITE_GROUPS: the lite servers of ${name} do not belong to ${network}`);
    return fixedGroup(name, config!);
  });
  return [
    everybody === undefined ? localGroup(dataDir, log) : fixedGroup(DEFAULT_GROUP, everybody),
    ...groups,
  ];
}

function checkPlan(name: string): void {
  if (findPlan(name) !== undefined) return;
  const plans = PLANS.map((plan) => plan.name).join(', ');
  throw new StartError(`LITE_GROUPS: ${name} is not a plan; the plans are ${plans}`);
}

function fixedGroup(name: string, config: GlobalConfig): LiteGroup {
  return { name, config: async () => config, isStale: () => false };
}

const NO_BLOCK = {
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno: 0,
  rootHash: Buffer.alloc(32),
  fileHash: Buffer.alloc(32),
};
const NO_CHAIN: GlobalConfig = { liteServers: [], zeroState: NO_BLOCK, initBlock: NO_BLOCK, hardforks: [] };

/** The chain of `DATA_DIR` may start, stop and go back while this process runs; its config is written again then. */
function localGroup(dataDir: string, log: Log): LiteGroup {
  const path = chainPaths(chainFolder(dataDir)).globalConfig;
  let readOf = 0;
  return {
    name: DEFAULT_GROUP,
    async config() {
      readOf = timeOf(path);
      if (readOf !== 0) return readGlobalConfig({ source: path, dataDir: dirname(path), log });
      log.warn({ path }, 'No local chain yet: run tongate start or tongate localnet');
      return NO_CHAIN;
    },
    isStale: () => timeOf(path) !== readOf,
  };
}

/** Modification time of a file; 0 if it does not exist. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
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
export function poolMetrics(metrics: LiteMetrics, group: string, { liteServers }: GlobalConfig): PoolMetrics {
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

/** State of a group for metrics and `/status`. */
export function groupStats(group: string, pool: LitePool, unixSeconds: number): LiteGroupStats {
  const { seqno: headSeqno, utime } = headOf(pool) ?? {};
  const headAgeSeconds = utime === undefined ? undefined : Math.max(0, unixSeconds - utime);
  return { group, headSeqno, headAgeSeconds, servers: pool.servers() };
}
