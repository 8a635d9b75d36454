import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import { COINS, HASH, maybe, tagged, UINT32, type ValueOf } from '../../chain/tlb/codecs.ts';
import {
  configParam,
  DEFAULT_CATCHAIN_CONFIG,
  type GlobalVersion,
  readBlockLimits,
  readCatchainConfig,
  readConfigAddresses,
  readFundamentalAddresses,
  readGlobalVersion,
  readWorkchains,
} from '../../chain/tlb/config.ts';
import { type ExtraCurrency, readExtraCurrencies } from '../../chain/tlb/currency.ts';
import { Dictionary } from '../../chain/tlb/dictionary.ts';
import type { McStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readShardAccount, SHARD_ACCOUNTS } from '../../chain/tlb/shard-accounts.ts';
import { readValidatorSet } from '../../chain/tlb/validators.ts';

/** The config as far as collation needs it. */
export type ChainConfig = Readonly<ReturnType<typeof readChainConfig>>;

/** Parameter 5: the share of fees that is burned, and the blackhole account. */
export type Burning = ValueOf<typeof BURNING>;

const NO_VERSION: GlobalVersion = { version: 0, capabilities: 0n };
const NO_REWARDS = { masterchainReward: 0n, basechainReward: 0n };
const NO_BURNING: Burning = { numerator: 0, denominator: 1, blackhole: undefined };

const BURNING = tagged('burning_config#01', 'parameter 5 is of an unknown form', {
  blackhole: maybe(HASH),
  numerator: UINT32,
  denominator: UINT32,
});

/** Block rewards: of a masterchain block, and of a block of an unsplit workchain. */
const REWARDS = tagged('block_grams_created#6b', 'parameter 14 is of an unknown form', {
  masterchainReward: COINS,
  basechainReward: COINS,
});

/** Reads the config from the root of its dictionary. */
export function readChainConfig(cells: Cells, root: number) {
  const param = (index: number): number => configParam(cells, root, index);
  const optional = <T>(index: number, read: (cells: Cells, cell: number) => T, without: T): T => {
    const cell = param(index);
    return cell < 0 ? without : read(cells, cell);
  };
  const addresses = readConfigAddresses(cells, root);
  const fundamental = optional(31, readFundamentalAddresses, []);
  const { config } = addresses;
  const isListed = config === undefined || fundamental.some((id) => id.equals(config));
  const currentValidators = param(35) >= 0 ? param(35) : param(34);
  return {
    ...optional(8, readGlobalVersion, NO_VERSION),
    addresses,
    /** Accounts that run in every masterchain block, including the config contract. */
    special: isListed ? fundamental : [...fundamental, config],
    workchains: optional(12, readWorkchains, []),
    masterchainLimits: readBlockLimits(cells, param(22)),
    shardLimits: readBlockLimits(cells, param(23)),
    ...optional(14, REWARDS.open, NO_REWARDS),
    burning: optional(5, BURNING.open, NO_BURNING),
    /** Required supply of each extra currency. */
    toMint: optional(7, readAmounts, []),
    catchain: optional(28, readCatchainConfig, DEFAULT_CATCHAIN_CONFIG),
    validators: readValidatorSet(cells, currentValidators),
  };
}

/** Burned share of an amount of fees. */
export function burnedOf({ numerator, denominator }: Burning, fees: bigint): bigint {
  return (fees * BigInt(numerator)) / BigInt(denominator);
}

function readAmounts(cells: Cells, cell: number): ExtraCurrency[] {
  return readExtraCurrencies(cells, { grams: 0n, extra: new Slice(cells, cell).maybeRef() });
}

const MANDATORY = [18, 20, 21, 22, 23, 24, 25, 28, 34];

/**
 * Takes the configuration from the contract that keeps it, or from the one that it names as its successor. A
 * configuration that makes no sense is left alone: the old one stays. `changed` says that it differs from the previous
 * one, so that the block is a key block.
 */
export function nextConfigOf(
  arena: BuildingArena,
  accounts: number,
  before: McStateExtra,
  current: ChainConfig,
) {
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

/** Root of the config that a contract holds: the first reference of its data; -1 if there is none. */
function configIn(arena: BuildingArena, accounts: number, address: Buffer): number {
  const entry = new Dictionary(arena, SHARD_ACCOUNTS).get(accounts, address);
  const account = entry && readAccount(arena, readShardAccount(entry).account);
  if (account?.state.kind !== 'active' || account.state.init.data < 0) return -1;
  const { data } = account.state.init;
  return arena.isExotic(data) || arena.refCount(data) === 0 ? -1 : arena.ref(data, 0);
}

/** Reads a config; undefined if the chain could not continue with it. */
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
