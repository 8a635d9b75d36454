import { CellBuilder } from '../../chain/boc/builder.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { GlobalVersion } from '../../chain/tlb/config.ts';
import type { CatchainConfig, SimplexConfig, ValidatorCounts } from '../../chain/tlb/config-consensus.ts';
import type { SplitMergeTimings } from '../../chain/tlb/config-workchains.ts';
import { Dictionary, type DictionaryCodec } from '../../chain/tlb/dictionary.ts';

/** Values of parameter 12 for the basechain; the rest is the same on all networks. */
export interface BasechainParam {
  /** Unix seconds. */
  readonly enabledSince: number;
  /** The depth to which the basechain is split: 2 to its power is the number of shards. */
  readonly splitDepth: number;
  readonly zeroStateRootHash: Buffer;
  readonly zeroStateFileHash: Buffer;
  readonly splitMergeTimings: SplitMergeTimings;
}

/** Periods of elections, in seconds. */
export interface ElectionTimes {
  readonly electedFor: number;
  /** From the announcement to the begin of the new set. */
  readonly startBefore: number;
  /** From the end of stakes to the begin of the new set; more than 60. */
  readonly endBefore: number;
  /** How long stakes are held after the end of their set. */
  readonly stakeHeldFor: number;
}

/** Limits of stakes, in nanotons. */
export interface StakeLimits {
  readonly minStake: bigint;
  readonly maxStake: bigint;
  readonly minTotalStake: bigint;
  /** 65536 is 1. */
  readonly maxStakeFactor: number;
}

const GLOBAL_VERSION = 0xc4;
const BLOCK_REWARDS_TAG = 0x6b;
const WORKCHAIN_V2 = 0xa7;
const WORKCHAIN_FORMAT_BASIC = 1;
const CATCHAIN_CONFIG_NEW = 0xc2;
const SIMPLEX_ALL = 0x10;
const SIMPLEX_V2 = 0x22;

const WORKCHAINS: DictionaryCodec<BasechainParam> = { keyBits: 32, write: writeBasechain };
const NUMBERS: DictionaryCodec<number> = {
  keyBits: 8,
  write: (builder, value) => builder.uint(value, 32),
};
const ACCOUNT_SET: DictionaryCodec<true> = { keyBits: 256, write: () => {} };

/** Parameters 0 to 4: an account of the masterchain. */
export function buildAddressParam(arena: BuildingArena, id: Buffer): number {
  return arena.build(new CellBuilder().hash(id));
}

/** Parameter 7; `currencies` is the root of a dictionary of extra currencies. */
export function buildCurrenciesParam(arena: BuildingArena, currencies: number): number {
  return arena.build(new CellBuilder().maybeRef(currencies));
}

/** Parameter 8. */
export function buildVersionParam(arena: BuildingArena, { version, capabilities }: GlobalVersion): number {
  return arena.build(new CellBuilder().uint(GLOBAL_VERSION, 8).uint(version, 32).uint64(capabilities));
}

/** Parameter 12 with the basechain alone. */
export function buildWorkchainsParam(arena: BuildingArena, basechain: BasechainParam): number {
  const root = new Dictionary(arena, WORKCHAINS).build([[Buffer.alloc(4), basechain]]);
  return arena.build(new CellBuilder().maybeRef(root));
}

/** Parameter 16. */
export function buildValidatorCountsParam(arena: BuildingArena, counts: ValidatorCounts): number {
  const { maxValidators, maxMainValidators, minValidators } = counts;
  const builder = new CellBuilder().uint(maxValidators, 16).uint(maxMainValidators, 16);
  return arena.build(builder.uint(minValidators, 16));
}

/** Parameter 15. */
export function buildElectionTimesParam(arena: BuildingArena, times: ElectionTimes): number {
  const builder = new CellBuilder().uint(times.electedFor, 32).uint(times.startBefore, 32);
  return arena.build(builder.uint(times.endBefore, 32).uint(times.stakeHeldFor, 32));
}

/** Parameter 17. */
export function buildStakeLimitsParam(arena: BuildingArena, limits: StakeLimits): number {
  const builder = new CellBuilder().coins(limits.minStake).coins(limits.maxStake);
  return arena.build(builder.coins(limits.minTotalStake).uint(limits.maxStakeFactor, 32));
}

/** Parameter 19: global id of the network. */
export function buildGlobalIdParam(arena: BuildingArena, globalId: number): number {
  return arena.build(new CellBuilder().int(globalId, 32));
}

/** Parameter 28. */
export function buildCatchainParam(arena: BuildingArena, config: CatchainConfig): number {
  const builder = new CellBuilder().uint(CATCHAIN_CONFIG_NEW, 8).uint(0, 7);
  builder.boolean(config.shuffleMcValidators).uint(config.mcCatchainLifetime, 32);
  builder.uint(config.shardCatchainLifetime, 32).uint(config.shardValidatorsLifetime, 32);
  return arena.build(builder.uint(config.shardValidatorsNum, 32));
}

/** Parameter 30 with equal values for the masterchain and all shards. */
export function buildSimplexParam(arena: BuildingArena, config: SimplexConfig): number {
  const { protocolVersion, useQuic, slotsPerLeaderWindow, noncriticalParams } = config;
  const sorted = [...noncriticalParams].sort(([a], [b]) => a - b);
  const numbers = new Dictionary(arena, NUMBERS).build(sorted.map(([key, n]) => [Buffer.of(key), n]));
  const builder = new CellBuilder().uint(SIMPLEX_V2, 8).uint(0, 5).uint(protocolVersion, 2);
  builder.boolean(useQuic).uint(slotsPerLeaderWindow, 32).maybeRef(numbers);
  const cell = arena.build(builder);
  return arena.build(new CellBuilder().uint(SIMPLEX_ALL, 8).maybeRef(cell).maybeRef(cell));
}

/** Parameter 14: nanotons created by a masterchain block and by a block of the whole basechain. */
export function buildBlockRewardsParam(arena: BuildingArena, masterchain: bigint, basechain: bigint): number {
  return arena.build(new CellBuilder().uint(BLOCK_REWARDS_TAG, 8).coins(masterchain).coins(basechain));
}

/** Parameter 31: masterchain accounts that pay no fees. */
export function buildFundamentalParam(arena: BuildingArena, ids: readonly Buffer[]): number {
  const sorted = [...ids].sort(Buffer.compare);
  const root = new Dictionary(arena, ACCOUNT_SET).build(sorted.map((id) => [id, true]));
  return arena.build(new CellBuilder().maybeRef(root));
}

function writeBasechain(builder: CellBuilder, param: BasechainParam): void {
  const { delay, interval, minInterval, maxDelay } = param.splitMergeTimings;
  builder.uint(WORKCHAIN_V2, 8).uint(param.enabledSince, 32);
  // Actual minimum split, minimum split, maximum split.
  builder.uint(0, 8).uint(param.splitDepth, 8).uint(param.splitDepth, 8);
  // Basic, active, accepts messages; no flags.
  builder.uint(0b111, 3).uint(0, 13);
  builder.hash(param.zeroStateRootHash).hash(param.zeroStateFileHash).uint(0, 32);
  // Any VM version, no mode.
  builder.uint(WORKCHAIN_FORMAT_BASIC, 4).int(-1, 32).uint64(0n);
  builder.uint(0, 4).uint(delay, 32).uint(interval, 32).uint(minInterval, 32).uint(maxDelay, 32);
  // Persistent states in one piece.
  builder.uint(0, 8);
}
