import { CellError, type Cells } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import type { readSuspendedAddresses } from '../../../src/chain/tlb/config.ts';
import { type OnPruned, walkDictionary } from '../../../src/chain/tlb/dictionary.ts';

/** A config param: its number and the cell with its value. */
interface ConfigParam {
  readonly index: number;
  readonly cell: number;
}

/** All config params in the order of their unsigned numbers, so negative ones come last. */
export function configParams(cells: Cells, root: number, onPruned: OnPruned = 'throw'): ConfigParam[] {
  const found: ConfigParam[] = [];
  walkDictionary(
    cells,
    root,
    32,
    (key, value) => {
      found.push({ index: key.readInt32BE(), cell: value.ref() });
    },
    onPruned,
  );
  return found;
}

const ADDRESS_BITS = 32 + 256;

/** The addresses of parameter 44. */
export function listSuspended(
  cells: Cells,
  suspended: ReturnType<typeof readSuspendedAddresses>,
): { readonly workchain: number; readonly id: Buffer }[] {
  const addresses: { workchain: number; id: Buffer }[] = [];
  if (suspended.root >= 0)
    walkDictionary(cells, suspended.root, ADDRESS_BITS, (key) => {
      addresses.push({ workchain: key.readInt32BE(), id: Buffer.from(key.subarray(4)) });
    });
  return addresses;
}

/** Parameter 29: the classic consensus. What an older form does not have is false or 0, as a node takes it. */
interface ConsensusConfig {
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

/** The simplex consensus of one chain in config param 30. */
interface SimplexConfig {
  readonly useQuic: boolean;
  /** 0 in the older version. */
  readonly protocolVersion: number;
  readonly slotsPerLeaderWindow: number;
  /** By number; empty in the older version, which had fixed fields. */
  readonly noncriticalParams: ReadonlyMap<number, number>;
}

// _ max_validators:(## 16) max_main_validators:(## 16) min_validators:(## 16) = ConfigParam 16;

/** Config param 16: limits of the number of validators. */
interface ValidatorCounts {
  readonly maxValidators: number;
  readonly maxMainValidators: number;
  readonly minValidators: number;
}

/** Parameter 30: which chains run the simplex consensus. */
interface SimplexConfigs {
  readonly masterchain: SimplexConfig | undefined;
  readonly shards: SimplexConfig | undefined;
}

/** Parameter 15: the times of elections, in seconds. */
interface ElectionTimes {
  readonly validatorsElectedFor: number;
  readonly electionsStartBefore: number;
  readonly electionsEndBefore: number;
  readonly stakeHeldFor: number;
}

/** Parameter 17: stakes in nanotons; the factor is a fraction of 65536. */
interface StakeLimits {
  readonly minStake: bigint;
  readonly maxStake: bigint;
  readonly minTotalStake: bigint;
  readonly maxStakeFactor: number;
}

const CONSENSUS_TAG = 0xd6;
const TAG_V4 = 0xd9;
const SIMPLEX_ALL_TAG = 0x10;
const SIMPLEX_TAG = 0x21;
const SIMPLEX_V2_TAG = 0x22;

/** Reads parameter 29 in any of its forms. */
export function readConsensusConfig(cells: Cells, cell: number): ConsensusConfig {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag < CONSENSUS_TAG || tag > TAG_V4) throw new CellError('unknown tag of a consensus configuration');
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
  if (slice.uint(8) !== SIMPLEX_ALL_TAG) throw new CellError('unknown tag of a simplex configuration');
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
    throw new CellError('unknown tag of a simplex configuration');
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

function readRoot(cells: Cells, cell: number): number {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== PRECOMPILED_TAG)
    throw new CellError('unknown tag of a list of precompiled contracts');
  return slice.maybeRef();
}

function readGasUsage(slice: Slice): bigint {
  if (slice.uint(8) !== CONTRACT_TAG) throw new CellError('unknown tag of a precompiled contract');
  return slice.uint64();
}
