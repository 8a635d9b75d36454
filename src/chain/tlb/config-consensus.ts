import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';

/** Parameter 28: how validator groups are chosen and how long they live (seconds). */
export interface CatchainConfig {
  readonly shuffleMcValidators: boolean;
  readonly mcCatchainLifetime: number;
  readonly shardCatchainLifetime: number;
  readonly shardValidatorsLifetime: number;
  readonly shardValidatorsNum: number;
}

/** What holds where a configuration has no parameter 28. */
export const DEFAULT_CATCHAIN_CONFIG: CatchainConfig = {
  shuffleMcValidators: false,
  mcCatchainLifetime: 200,
  shardCatchainLifetime: 200,
  shardValidatorsLifetime: 3000,
  shardValidatorsNum: 7,
};

const OLD_TAG = 0xc1;
const TAG = 0xc2;

/** Reads parameter 28 in either of its forms. */
export function readCatchainConfig(cells: Cells, cell: number): CatchainConfig {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== TAG && tag !== OLD_TAG) throw new CellError('a catchain configuration of an unknown form');
  if (tag === TAG) slice.skip(7);
  return {
    shuffleMcValidators: tag === TAG && slice.boolean(),
    mcCatchainLifetime: slice.uint(32),
    shardCatchainLifetime: slice.uint(32),
    shardValidatorsLifetime: slice.uint(32),
    shardValidatorsNum: slice.uint(32),
  };
}

/** Parameter 29: the classic consensus. What an older form does not have is false or 0, as a node takes it. */
export interface ConsensusConfig {
  readonly useQuic: boolean;
  readonly newCatchainIds: boolean;
  readonly roundCandidates: number;
  readonly nextCandidateDelayMs: number;
  readonly consensusTimeoutMs: number;
  readonly fastAttempts: number;
  readonly attemptDuration: number;
  readonly catchainMaxDeps: number;
  readonly maxBlockBytes: number;
  readonly maxCollatedBytes: number;
  readonly protoVersion: number;
  readonly catchainMaxBlocksCoeff: number;
}

/** One chain's part of parameter 30: the simplex consensus. Times are in milliseconds. */
export interface SimplexConfig {
  readonly useQuic: boolean;
  /** 0 in the older form. */
  readonly protocolVersion: number;
  readonly slotsPerLeaderWindow: number;
  /** By number, as the newer form lists them; the older form's own fields are not among them. */
  readonly noncriticalParams: ReadonlyMap<number, number>;
}

/** Parameter 30: which chains run the simplex consensus. */
export interface SimplexConfigs {
  readonly masterchain: SimplexConfig | undefined;
  readonly shards: SimplexConfig | undefined;
}

/** Parameter 15: the times of elections, in seconds. */
export interface ElectionTimes {
  readonly validatorsElectedFor: number;
  readonly electionsStartBefore: number;
  readonly electionsEndBefore: number;
  readonly stakeHeldFor: number;
}

/** Parameter 16: how many validators there may be. */
export interface ValidatorCounts {
  readonly maxValidators: number;
  readonly maxMainValidators: number;
  readonly minValidators: number;
}

/** Parameter 17: stakes in nanotons; the factor is a fraction of 65536. */
export interface StakeLimits {
  readonly minStake: bigint;
  readonly maxStake: bigint;
  readonly minTotalStake: bigint;
  readonly maxStakeFactor: number;
}
