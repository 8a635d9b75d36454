import { Slice } from '../../chain/boc/slice.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import { configParam } from '../../chain/tlb/config.ts';
import type { McStateExtra } from '../../chain/tlb/mc-state-extra.ts';
import { readShardAccount } from '../../chain/tlb/shard-account.ts';
import { Dictionary } from '../../chain/tlb-write/dictionary.ts';
import { SHARD_ACCOUNTS } from '../../chain/tlb-write/shard-accounts.ts';
import { type ChainConfig, readChainConfig } from './chain-config.ts';

/** The configuration after a block. */
export interface NewConfig {
  readonly address: Buffer;
  /** The root of the dictionary of parameters. */
  readonly root: number;
  readonly config: ChainConfig;
  /** It differs from the one before, so the block is a key block. */
  readonly changed: boolean;
}

const MANDATORY = [18, 20, 21, 22, 23, 24, 25, 28, 34];

/**
 * Takes the configuration from the contract that keeps it, or from the one that it names as its successor. A
 * configuration that makes no sense is left alone: the old one stays.
 */
export function takeConfig(
  arena: BuildingArena,
  accounts: number,
  before: McStateExtra,
  current: ChainConfig,
): NewConfig {
  const unchanged = { address: before.configAddress, root: before.config, config: current, changed: false };
  const root = configIn(arena, accounts, before.configAddress);
  if (root === before.config) return unchanged;
  const config = root < 0 ? undefined : readIfSound(arena, root);
  if (config === undefined) return unchanged;
  const successor = config.addresses.config;
  if (successor !== undefined && !successor.equals(before.configAddress)) {
    const next = configIn(arena, accounts, successor);
    const nextConfig = next < 0 ? undefined : readIfSound(arena, next);
    if (nextConfig?.addresses.config?.equals(successor))
      return { address: successor, root: next, config: nextConfig, changed: true };
  }
  return { address: before.configAddress, root, config, changed: true };
}

/** The root of the configuration that a contract keeps: the first reference of its data; -1 if there is none. */
function configIn(arena: BuildingArena, accounts: number, address: Buffer): number {
  const found = new Dictionary(arena, SHARD_ACCOUNTS).get(accounts, address);
  const account = found && readAccount(arena, readShardAccount(found).account);
  if (account?.state.kind !== 'active' || account.state.init.data < 0) return -1;
  const { data } = account.state.init;
  return arena.isExotic(data) || arena.refCount(data) === 0 ? -1 : arena.ref(data, 0);
}

/** Reads a configuration; undefined if the chain could not go on with it. */
function readIfSound(arena: BuildingArena, root: number): ChainConfig | undefined {
  try {
    if (MANDATORY.some((index) => configParam(arena, root, index) < 0)) return undefined;
    const own = configParam(arena, root, 0);
    if (own >= 0) new Slice(arena, own).hash();
    return readChainConfig(arena, root);
  } catch {
    return undefined;
  }
}
