import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { findPlan, PLANS } from '../access/plans.ts';
import { MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../chain/block-id.ts';
import { publicNetworkOf, publicZeroState } from '../chain/public-networks.ts';
import type { Settings } from '../config/settings.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import {
  type GlobalConfig,
  globalConfigSource,
  type LoadedConfig,
  loadGlobalConfig,
  readGlobalConfig,
} from '../lite/global-config.ts';
import { chainFolder, chainPaths } from '../localnet/chain/chain-folder.ts';

/** A group of lite servers: the public ones, or those of a plan. */
export interface LiteGroup {
  /** `everybody` for the public group, or the name of the plan. */
  readonly name: string;
  readonly config: () => Promise<GlobalConfig>;
  /** Stores a copy of a config that was downloaded. */
  readonly storeCopy: () => Promise<void>;
  /** Whether the config changed since it was last read. */
  readonly isStale: () => boolean;
}

interface GroupsOptions {
  readonly settings: Settings;
  /** Whether the local chain runs in this process, which then is the only possible chain. */
  readonly isChainHere: boolean;
  readonly log: Log;
  /** Throws if the process is stopping. With it, a config that cannot be downloaded now is waited for. */
  readonly assertRunning?: () => void;
}

/** The public group; no plan has this name. */
export const DEFAULT_GROUP = 'everybody';

/**
 * Reads the groups of the settings, the public one first; throws StartError if a config cannot be read, or belongs to
 * another network.
 */
export async function readLiteGroups(options: GroupsOptions): Promise<LiteGroup[]> {
  const { settings, isChainHere, log, assertRunning } = options;
  const { dataDir, network, tonConfig } = settings;
  const isLocal = network === 'localnet' && (isChainHere || tonConfig === undefined);
  const sources = Object.entries(settings.liteGroups);
  for (const [plan] of sources) checkPlan(plan);
  const load = (source: string, setting: string) =>
    loadGlobalConfig({ source, setting, dataDir, log, assertRunning });
  const everybody = isLocal ? undefined : await load(globalConfigSource(network, tonConfig)!, 'TON_CONFIG');
  if (everybody !== undefined) checkNetwork(network, everybody.config);
  const groups: LiteGroup[] = [];
  for (const [name, source] of sources) {
    const loaded = await load(source, 'LITE_GROUPS');
    if (everybody !== undefined && !sameBlock(loaded.config.zeroState, everybody.config.zeroState))
      throw new StartError(`LITE_GROUPS: the lite servers of ${name} do not belong to ${network}`);
    groups.push(fixedGroup(name, loaded));
  }
  return [
    everybody === undefined ? localGroup(dataDir, log) : fixedGroup(DEFAULT_GROUP, everybody),
    ...groups,
  ];
}

/** A config of another chain would make a server of it that calls itself by the name of a public network. */
function checkNetwork(network: string, { zeroState: { rootHash } }: GlobalConfig): void {
  const wanted = publicZeroState(network);
  const given = rootHash.toString('base64');
  if (wanted === undefined || wanted === given) return;
  const other = publicNetworkOf(rootHash);
  throw new StartError(
    `TON_CONFIG is the global config of ${other ?? 'another network'}: its zero state is ${given}, ` +
      `that of ${network} is ${wanted}; set NETWORK to ${other ?? 'custom'}, or TON_CONFIG to a config of ${network}`,
  );
}

function checkPlan(name: string): void {
  if (findPlan(name) !== undefined) return;
  const plans = PLANS.map((plan) => plan.name).join(', ');
  throw new StartError(`LITE_GROUPS: ${name} is not a plan; the plans are ${plans}`);
}

function fixedGroup(name: string, { config, storeCopy }: LoadedConfig): LiteGroup {
  return { name, config: async () => config, storeCopy, isStale: () => false };
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
    storeCopy: async () => {},
    isStale: () => timeOf(path) !== readOf,
  };
}

/** Modification time of a file; 0 if it does not exist. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
