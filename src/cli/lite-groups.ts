import { findPlan, PLANS } from '../access/plans.ts';
import { sameBlock } from '../chain/block-id.ts';
import type { Settings } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import { StartError } from '../lib/start-error.ts';
import type { GlobalConfig } from '../lite/global-config.ts';
import { globalConfigSource, readGlobalConfig } from '../lite/read-global-config.ts';
import { chainFolder, chainPaths } from '../localnet/chain/chain-paths.ts';
import { createLocalChainConfig } from './local-chain-config.ts';

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
export const EVERYBODY = 'everybody';

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
  return [everybody === undefined ? localGroup(dataDir, log) : fixedGroup(EVERYBODY, everybody), ...groups];
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
  return { name: EVERYBODY, config: read, isStale };
}
