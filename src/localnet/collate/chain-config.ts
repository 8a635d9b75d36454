import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import {
  type BlockLimits,
  type CatchainConfig,
  type ConfigAddresses,
  configParam,
  DEFAULT_CATCHAIN_CONFIG,
  type GlobalVersion,
  readBlockLimits,
  readCatchainConfig,
  readConfigAddresses,
  readFundamentalAddresses,
  readGlobalVersion,
  readWorkchains,
  type WorkchainDescr,
} from '../../chain/tlb/config.ts';
import { type ExtraCurrency, readExtraCurrencies } from '../../chain/tlb/currency.ts';
import { Dictionary } from '../../chain/tlb/dictionary.ts';
import type { McStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readShardAccount, SHARD_ACCOUNTS } from '../../chain/tlb/shard-accounts.ts';
import { readValidatorSet, type ValidatorSet } from '../../chain/tlb/validators.ts';

/** The config as far as collation needs it. */
export interface ChainConfig extends GlobalVersion {
  readonly addresses: ConfigAddresses;
  /** Accounts that run in every masterchain block, including the config contract. */
  readonly special: readonly Buffer[];
  readonly workchains: readonly WorkchainDescr[];
  readonly masterchainLimits: BlockLimits;
  readonly shardLimits: BlockLimits;
  /** Block reward: of a masterchain block, and of a block of an unsplit workchain. */
  readonly masterchainReward: bigint;
  readonly basechainReward: bigint;
  readonly burning: Burning;
  /** Required supply of each extra currency. */
  readonly toMint: readonly ExtraCurrency[];
  readonly catchain: CatchainConfig;
  readonly validators: ValidatorSet;
}

/** Parameter 5: the share of fees that is burned, and the blackhole account. */
export interface Burning {
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly blackhole: Buffer | undefined;
}

const NO_VERSION: GlobalVersion = { version: 0, capabilities: 0n };
const NO_BURNING: Burning = { numerator: 0n, denominator: 1n, blackhole: undefined };
const BURNING_TAG = 0x01;
const REWARDS_TAG = 0x6b;

/** Reads the config from the root of its dictionary. */
export function readChainConfig(cells: Cells, root: number): ChainConfig {
  const param = (index: number): number => configParam(cells, root, index);
  const optional = <Value>(index: number, read: (cell: number) => Value, without: Value): Value => {
    const cell = param(index);
    return cell < 0 ? without : read(cell);
  };
  const addresses = readConfigAddresses(cells, root);
  const fundamental = optional(31, (cell) => readFundamentalAddresses(cells, cell), []);
  const { config } = addresses;
  const isListed = config === undefined || fundamental.some((id) => id.equals(config));
  const currentValidators = param(35) >= 0 ? param(35) : param(34);
  return {
    ...optional(8, (cell) => readGlobalVersion(cells, cell), NO_VERSION),
    addresses,
    special: isListed ? fundamental : [...fundamental, config],
    workchains: optional(12, (cell) => readWorkchains(cells, cell), []),
    masterchainLimits: readBlockLimits(cells, param(22)),
    shardLimits: readBlockLimits(cells, param(23)),
    ...optional(14, (cell) => readRewards(cells, cell), { masterchainReward: 0n, basechainReward: 0n }),
    burning: optional(5, (cell) => readBurning(cells, cell), NO_BURNING),
    toMint: optional(7, (cell) => readAmounts(cells, cell), []),
    catchain: optional(28, (cell) => readCatchainConfig(cells, cell), DEFAULT_CATCHAIN_CONFIG),
    validators: readValidatorSet(cells, currentValidators),
  };
}

/** Burned share of an amount of fees. */
export function burnedOf({ numerator, denominator }: Burning, fees: bigint): bigint {
  return (fees * numerator) / denominator;
}

function readRewards(cells: Cells, cell: number): { masterchainReward: bigint; basechainReward: bigint } {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== REWARDS_TAG) throw new Error('parameter 14 is of an unknown form');
  return { masterchainReward: slice.coins(), basechainReward: slice.coins() };
}

function readBurning(cells: Cells, cell: number): Burning {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== BURNING_TAG) throw new Error('parameter 5 is of an unknown form');
  const blackhole = slice.boolean() ? slice.hash() : undefined;
  return { blackhole, numerator: BigInt(slice.uint(32)), denominator: BigInt(slice.uint(32)) };
}

function readAmounts(cells: Cells, cell: number): ExtraCurrency[] {
  return readExtraCurrencies(cells, { grams: 0n, extra: new Slice(cells, cell).maybeRef() });
}

interface NewConfig {
  readonly address: Buffer;
  /** The root of the dictionary of parameters. */
  readonly root: number;
  readonly config: ChainConfig;
  /** It differs from the previous one, so the block is a key block. */
  readonly changed: boolean;
}

const MANDATORY = [18, 20, 21, 22, 23, 24, 25, 28, 34];

/**
 * Takes the configuration from the contract that keeps it, or from the one that it names as its successor. A
 * configuration that makes no sense is left alone: the old one stays.
 */
export function nextConfigOf(
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
