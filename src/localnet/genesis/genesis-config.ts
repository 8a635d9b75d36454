import type { Cell } from '@ton/core';
import { readBoc } from '../../chain/boc/bag.ts';
import { toCoreCell } from '../../chain/boc/ton-core.ts';
import { BuildingArena } from '../../chain/state/building-arena.ts';
import { CONFIG, configKey, configParam } from '../../chain/tlb/config.ts';
import { Dictionary } from '../../chain/tlb/dictionary.ts';
import { buildValidatorSet, type ValidatorSet } from '../../chain/tlb/validators.ts';
import * as params from './config-params.ts';
import { CONFIG_ID, ELECTOR_ID } from './special-accounts.ts';

/** Inputs of the first config of a chain. */
interface GenesisConfigOptions {
  /** Unix seconds. */
  readonly now: number;
  readonly globalId: number;
  /** 2 to this power is the number of shards of the basechain. */
  readonly splitDepth: number;
  /** Hashes of the basechain's zero state. */
  readonly basechain: { readonly rootHash: Buffer; readonly fileHash: Buffer };
  readonly validatorPublicKey: Buffer;
  /** Account that receives new extra currencies. */
  readonly minter: Buffer;
  /** Root of the dictionary of all extra currencies. */
  readonly extraCurrencies: number;
  /** DNS root; none by default. */
  readonly dnsRoot?: Buffer | undefined;
  /** Accounts besides config and elector that pay no fees. */
  readonly fundamental: readonly Buffer[];
  /** Whether blocks are rewarded as on mainnet, or not at all. */
  readonly blockRewards: boolean;
  readonly elections: params.ElectionTimes;
}

/**
 * Taken from mainnet as they are: mandatory and critical parameters (9, 10), voting (11), complaints (13),
 * prices and limits (18, 20 to 25), consensus (29), precompiled contracts (45); rewards for blocks (14)
 * where they are wanted. Parameter 5, which burns fees, is left out, and so are all that are about validators, bridges and old times.
 */
const MAINNET_PARAMS = [9, 10, 11, 13, 18, 20, 21, 22, 23, 24, 25, 29, 45];

const BLOCK_REWARDS = 14;

/** Newest global version that the emulator supports. */
const VERSION = 13;
/** Create stats, bounce bodies, version reports, short dequeue, queue sizes, message metadata. */
const CAPABILITIES = 0b1110_1110n;

/** Splits are due at once and stay so for days: a chain may produce blocks only when a message arrives. */
const SPLIT_MERGE_TIMINGS = { delay: 0, interval: 1_000_000, minInterval: 1, maxDelay: 1_000_000 };
const VALIDATOR_COUNTS = { maxValidators: 400, maxMainValidators: 100, minValidators: 1 };
const TON = 10n ** 9n;
/** Much less than on mainnet, so that the money of the faucet is enough for many validators. */
const STAKE_LIMITS: params.StakeLimits = {
  minStake: 10_000n * TON,
  maxStake: 10_000_000n * TON,
  minTotalStake: 20_000n * TON,
  maxStakeFactor: 3 * 65_536,
};
const CATCHAIN = {
  shuffleMcValidators: true,
  mcCatchainLifetime: 250,
  shardCatchainLifetime: 250,
  shardValidatorsLifetime: 1000,
  shardValidatorsNum: 1,
};
/** As in a private network of nodes: a block in 1000 ms, and 1000 ms to wait for the first. */
const SIMPLEX = {
  useQuic: false,
  protocolVersion: 0,
  slotsPerLeaderWindow: 4,
  noncriticalParams: new Map([
    [0, 1000],
    [1, 1000],
    [10, 2],
  ]),
};

/** Builds the config dictionary that a chain starts with; returns its root. */
export async function buildGenesisConfig(
  arena: BuildingArena,
  options: GenesisConfigOptions,
): Promise<number> {
  const { now, globalId, dnsRoot, blockRewards } = options;
  const mainnet = readBoc(await loadMainnetConfig());
  const validators = singleValidatorSet(options.validatorPublicKey, now);
  const basechain = {
    enabledSince: now,
    splitDepth: options.splitDepth,
    zeroStateRootHash: options.basechain.rootHash,
    zeroStateFileHash: options.basechain.fileHash,
    splitMergeTimings: SPLIT_MERGE_TIMINGS,
  };
  const cells: [index: number, cell: number][] = [
    [0, params.buildAddressParam(arena, CONFIG_ID)],
    [1, params.buildAddressParam(arena, ELECTOR_ID)],
    [2, params.buildAddressParam(arena, options.minter)],
    [7, params.buildCurrenciesParam(arena, options.extraCurrencies)],
    [8, params.buildVersionParam(arena, { version: VERSION, capabilities: CAPABILITIES })],
    [12, params.buildWorkchainsParam(arena, basechain)],
    [15, params.buildElectionTimesParam(arena, options.elections)],
    [16, params.buildValidatorCountsParam(arena, VALIDATOR_COUNTS)],
    [17, params.buildStakeLimitsParam(arena, STAKE_LIMITS)],
    [19, params.buildGlobalIdParam(arena, globalId)],
    [28, params.buildCatchainParam(arena, CATCHAIN)],
    [30, params.buildSimplexParam(arena, SIMPLEX)],
    [31, params.buildFundamentalParam(arena, [CONFIG_ID, ELECTOR_ID, ...options.fundamental])],
    [34, buildValidatorSet(arena, validators)],
  ];
  if (dnsRoot !== undefined) cells.push([4, params.buildAddressParam(arena, dnsRoot)]);
  if (!blockRewards) cells.push([BLOCK_REWARDS, params.buildBlockRewardsParam(arena, 0n, 0n)]);
  for (const index of blockRewards ? [...MAINNET_PARAMS, BLOCK_REWARDS] : MAINNET_PARAMS)
    cells.push([index, arena.add(mainnet, configParam(mainnet, mainnet.root, index))]);
  const sorted = cells.sort(([a], [b]) => a - b);
  return new Dictionary(arena, CONFIG).build(sorted.map(([index, cell]) => [configKey(index), cell]));
}

/** The clock of a local chain can be moved, so its validators stay until they are replaced. */
const FOREVER = 0xffffffff;
const NO_ADNL_ADDRESS = Buffer.alloc(32);

/** A set of one validator. Elections are announced before its end; by default it has none. */
export function singleValidatorSet(publicKey: Buffer, since: number, until = FOREVER): ValidatorSet {
  const validator = { publicKey, weight: 1n, adnlAddress: NO_ADNL_ADDRESS };
  return { since, until, main: 1, validators: [validator], totalWeight: 1n };
}

/** Value of parameter 34 that makes the owner of a key the only validator. */
export function validatorSetParam(publicKey: Buffer, since: number, until?: number): Cell {
  const arena = new BuildingArena();
  return toCoreCell(arena, buildValidatorSet(arena, singleValidatorSet(publicKey, since, until)));
}

/**
 * The bag of cells of mainnet's configuration as the package of the emulator has it; its root is that of the
 * dictionary of parameters. Loaded when it is needed, as it is large.
 */
async function loadMainnetConfig(): Promise<Buffer> {
  // Not the package's index, which comes with the emulator and more.
  const { defaultConfig } = await import('@ton/sandbox/dist/config/defaultConfig.js');
  return Buffer.from(defaultConfig, 'base64');
}
