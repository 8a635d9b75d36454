import { CellError, type Cells } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import type {
  ConsensusConfig,
  ElectionTimes,
  SimplexConfig,
  SimplexConfigs,
  StakeLimits,
  ValidatorCounts,
} from '../../../src/chain/tlb/config-consensus.ts';
import { lookUp, walkDictionary } from '../../../src/chain/tlb/dictionary.ts';

const CONSENSUS_TAG = 0xd6;
const TAG_V4 = 0xd9;
const SIMPLEX_ALL_TAG = 0x10;
const SIMPLEX_TAG = 0x21;
const SIMPLEX_V2_TAG = 0x22;

/** Reads parameter 29 in any of its forms. */
export function readConsensusConfig(cells: Cells, cell: number): ConsensusConfig {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag < CONSENSUS_TAG || tag > TAG_V4)
    throw new CellError('a consensus configuration of an unknown form');
  const form = tag - CONSENSUS_TAG;
  if (form > 0) slice.skip(6);
  const useQuic = form > 0 && slice.boolean();
  return {
    useQuic: useQuic && form === 3,
    newCatchainIds: form > 0 && slice.boolean(),
    roundCandidates: slice.uint(form > 0 ? 8 : 32),
    nextCandidateDelayMs: slice.uint(32),
    consensusTimeoutMs: slice.uint(32),
    fastAttempts: slice.uint(32),
    attemptDuration: slice.uint(32),
    catchainMaxDeps: slice.uint(32),
    maxBlockBytes: slice.uint(32),
    maxCollatedBytes: slice.uint(32),
    protoVersion: form >= 2 ? slice.uint(16) : 0,
    catchainMaxBlocksCoeff: form >= 3 ? slice.uint(32) : 0,
  };
}

/** Reads parameter 30. */
export function readSimplexConfigs(cells: Cells, cell: number): SimplexConfigs {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== SIMPLEX_ALL_TAG) throw new CellError('a simplex configuration of an unknown form');
  const masterchain = slice.maybeRef();
  const shards = slice.maybeRef();
  return {
    masterchain: masterchain < 0 ? undefined : readSimplexConfig(cells, masterchain),
    shards: shards < 0 ? undefined : readSimplexConfig(cells, shards),
  };
}

function readSimplexConfig(cells: Cells, cell: number): SimplexConfig {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== SIMPLEX_TAG && tag !== SIMPLEX_V2_TAG)
    throw new CellError('a simplex configuration of an unknown form');
  slice.skip(5);
  const version = slice.uint(2);
  const useQuic = slice.boolean();
  if (tag === SIMPLEX_TAG) slice.skip(32);
  const slotsPerLeaderWindow = slice.uint(32);
  const noncriticalParams = new Map<number, number>();
  const root = tag === SIMPLEX_V2_TAG ? slice.maybeRef() : -1;
  if (root >= 0)
    walkDictionary(cells, root, 8, (key, value) => {
      noncriticalParams.set(key[0]!, value.uint(32));
    });
  const protocolVersion = tag === SIMPLEX_V2_TAG ? version : 0;
  return { useQuic, protocolVersion, slotsPerLeaderWindow, noncriticalParams };
}

/** Reads parameter 15. */
export function readElectionTimes(cells: Cells, cell: number): ElectionTimes {
  const slice = new Slice(cells, cell);
  return {
    validatorsElectedFor: slice.uint(32),
    electionsStartBefore: slice.uint(32),
    electionsEndBefore: slice.uint(32),
    stakeHeldFor: slice.uint(32),
  };
}

/** Reads parameter 16. */
export function readValidatorCounts(cells: Cells, cell: number): ValidatorCounts {
  const slice = new Slice(cells, cell);
  return {
    maxValidators: slice.uint(16),
    maxMainValidators: slice.uint(16),
    minValidators: slice.uint(16),
  };
}

/** Reads parameter 17. */
export function readStakeLimits(cells: Cells, cell: number): StakeLimits {
  const slice = new Slice(cells, cell);
  return {
    minStake: slice.coins(),
    maxStake: slice.coins(),
    minTotalStake: slice.coins(),
    maxStakeFactor: slice.uint(32),
  };
}

/** A contract of parameter 45: its code costs a fixed amount of gas. */
interface PrecompiledContract {
  readonly codeHash: Buffer;
  readonly gasUsage: bigint;
}

const PRECOMPILED_TAG = 0xc0;
const CONTRACT_TAG = 0xb0;

/** Reads parameter 45. */
export function readPrecompiledContracts(cells: Cells, cell: number): PrecompiledContract[] {
  const contracts: PrecompiledContract[] = [];
  const root = readRoot(cells, cell);
  if (root >= 0)
    walkDictionary(cells, root, 256, (key, value) => {
      contracts.push({ codeHash: Buffer.from(key), gasUsage: readGasUsage(value) });
    });
  return contracts;
}

/** The fixed gas of a code, or undefined; `cell` is that of parameter 45. */
export function precompiledGas(cells: Cells, cell: number, codeHash: Buffer): bigint | undefined {
  const root = readRoot(cells, cell);
  const value = root < 0 ? undefined : lookUp(cells, root, 256, codeHash);
  return value && readGasUsage(value);
}

function readRoot(cells: Cells, cell: number): number {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== PRECOMPILED_TAG)
    throw new CellError('a list of precompiled contracts of an unknown form');
  return slice.maybeRef();
}

function readGasUsage(slice: Slice): bigint {
  if (slice.uint(8) !== CONTRACT_TAG) throw new CellError('a precompiled contract of an unknown form');
  return slice.uint64();
}
