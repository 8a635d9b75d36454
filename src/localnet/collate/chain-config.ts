import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import {
  type CatchainConfig,
  DEFAULT_CATCHAIN_CONFIG,
  readCatchainConfig,
} from '../../chain/tlb/catchain-config.ts';
import { configParam } from '../../chain/tlb/config.ts';
import {
  type ConfigAddresses,
  readConfigAddresses,
  readFundamentalAddresses,
} from '../../chain/tlb/config-addresses.ts';
import { type BlockLimits, readBlockLimits } from '../../chain/tlb/config-block-limits.ts';
import { type GlobalVersion, readGlobalVersion } from '../../chain/tlb/config-global-version.ts';
import { readWorkchains, type WorkchainDescr } from '../../chain/tlb/config-workchains.ts';
import { type ExtraCurrency, readExtraCurrencies } from '../../chain/tlb/currency.ts';
import { readValidatorSet, type ValidatorSet } from '../../chain/tlb/validator-set.ts';

/** What the making of blocks takes from the configuration. */
export interface ChainConfig extends GlobalVersion {
  readonly addresses: ConfigAddresses;
  /** Accounts that run in every masterchain block, the configuration contract among them. */
  readonly special: readonly Buffer[];
  readonly workchains: readonly WorkchainDescr[];
  readonly masterchainLimits: BlockLimits;
  readonly shardLimits: BlockLimits;
  /** What the maker of a block gets: of a masterchain block, and of a block of a workchain that is not split. */
  readonly masterchainReward: bigint;
  readonly basechainReward: bigint;
  readonly burning: Burning;
  /** How much of each extra currency there has to be. */
  readonly toMint: readonly ExtraCurrency[];
  readonly catchain: CatchainConfig;
  readonly validators: ValidatorSet;
}

/** Parameter 5: which part of the fees is burned, and the account that burns what it gets. */
export interface Burning {
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly blackhole: Buffer | undefined;
}

const NO_VERSION: GlobalVersion = { version: 0, capabilities: 0n };
const NO_BURNING: Burning = { numerator: 0n, denominator: 1n, blackhole: undefined };
const BURNING_TAG = 0x01;
const REWARDS_TAG = 0x6b;

/** Reads the configuration from the root of the dictionary of its parameters. */
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

/** What of an amount of fees is burned. */
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
