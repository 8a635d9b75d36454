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
      config,
      log,
      metrics: metricsOf(name, config),
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

/** A group of lite servers: everybody's, or those that a plan has to itself. */
export interface LiteGroup {
  /** `everybody`, or the name of the plan. */
  readonly name: string;
  /** The config to connect with now. */
  readonly config: () => Promise<GlobalConfig>;
  /** Whether the config is another one than when it was last asked for. */
  readonly isStale: () => boolean;
}

interface GroupsOptions {
  readonly settings: Settings;
  /** Whether the local chain runs in this process: no other chain can be meant then. */
  readonly isChainHere: boolean;
  readonly log: Log;
}

/** The group of those who have none of their own; no plan has that name. */
const DEFAULT_GROUP = 'everybody';

/** Finds the groups of the settings, everybody's first; throws StartError when a config cannot be had. */
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
      throw new StartError(`LITE_GROUPS names lite servers of another network than ${network} for ${name}`);
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
  throw new StartError(`LITE_GROUPS names ${name}, which is no plan; the plans are ${plans}`);
}

function fixedGroup(name: string, config: GlobalConfig): LiteGroup {
  return { name, config: async () => config, isStale: () => false };
}

/** The chain of `DATA_DIR` may begin, end and go back while this process runs. */
function localGroup(dataDir: string, log: Log): LiteGroup {
  const { read, isStale } = createLocalChainConfig(chainPaths(chainFolder(dataDir)).globalConfig, log);
  return { name: DEFAULT_GROUP, config: read, isStale };
}

/** The global config of a local chain. Whoever runs the chain writes the file anew when it starts or goes back. */
interface LocalChainConfig {
  /** What the file says; a config without lite servers while there is none. Throws StartError. */
  read(): Promise<GlobalConfig>;
  /** Whether the file was written since it was read. */
  isStale(): boolean;
}

const NO_BLOCK = {
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno: 0,
  rootHash: Buffer.alloc(32),
  fileHash: Buffer.alloc(32),
};
const NO_CHAIN: GlobalConfig = { liteServers: [], zeroState: NO_BLOCK, initBlock: NO_BLOCK, hardforks: [] };

/** Looks at the file of a local chain, which need not be there yet. */
function createLocalChainConfig(path: string, log: Log): LocalChainConfig {
  let readOf = 0;
  return {
    async read() {
      readOf = timeOf(path);
      if (readOf !== 0) return readGlobalConfig({ source: path, dataDir: dirname(path), log });
      log.warn({ path }, 'There is no local chain yet; tongate start or tongate localnet runs one');
      return NO_CHAIN;
    },
    isStale: () => timeOf(path) !== readOf,
  };
}

/** When a file was written; 0 when there is none. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

interface OpenPoolOptions {
  readonly config: GlobalConfig;
  /** Whether heads are proven. */
  readonly verify: boolean;
  /** Where the last proven key block is kept; undefined where a proof from the first block is short. */
  readonly memoryPath: string | undefined;
  readonly metrics: PoolMetrics;
  readonly log: Log;
  /** Time for all queries of a request. */
  readonly requestMs: number;
}

const NO_MEMORY: HeadProofStore = { load: async () => undefined, save: async () => {} };

/** Connects to the lite servers of a global config; it is not waited for any of them. */
async function openPool(options: OpenPoolOptions): Promise<LitePool> {
  const { config, verify, metrics, log, requestMs } = options;
  return createPool({
    config,
    connect: createConnection,
    metrics,
    log,
    timing: { requestMs },
    proveHead: verify ? await createProof(options) : undefined,
  });
}

async function createProof({ config, memoryPath, log }: OpenPoolOptions): Promise<ProveHead> {
  const memory = memoryPath === undefined ? NO_MEMORY : createHeadProofStore(memoryPath, log);
  const prover = await createHeadProver({ anchor: config.initBlock, memory, log });
  return ({ query }, block) => prover.prove(query, block);
}

/** The pool knows servers by their addresses; figures, which the public may see, by their positions in the config. */
export function poolMetrics(metrics: LiteMetrics, group: string, { liteServers }: GlobalConfig): PoolMetrics {
  const counts = metrics.countsOf(group);
  const positions = new Map(liteServers.map(({ host, port, index }) => [`${host}:${port}`, index]));
  return {
    queryDone: counts.queryDone,
    serverFailed: (server, fault) => counts.serverFailed(positions.get(server) ?? -1, fault),
  };
}

/** The state of a group for figures and for `/status`. */
export function groupStats(group: string, pool: LitePool, unixSeconds: number): LiteGroupStats {
  const servers = pool.servers();
  const headSeqno = pool.head?.seqno;
  const utime = servers.find((server) => server.seqno === headSeqno && server.utime !== undefined)?.utime;
  const headAgeSeconds = utime === undefined ? undefined : Math.max(0, unixSeconds - utime);
  return { group, headSeqno, headAgeSeconds, servers };
}
