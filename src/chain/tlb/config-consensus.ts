import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { walkDictionary } from './dictionary.ts';

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

const TAG = 0xd6;
const TAG_V4 = 0xd9;
const SIMPLEX_ALL_TAG = 0x10;
const SIMPLEX_TAG = 0x21;
const SIMPLEX_V2_TAG = 0x22;

/** Reads parameter 29 in any of its forms. */
export function readConsensusConfig(cells: Cells, cell: number): ConsensusConfig {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag < TAG || tag > TAG_V4) throw new CellFault('a consensus configuration of an unknown form');
  const form = tag - TAG;
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
  if (slice.uint(8) !== SIMPLEX_ALL_TAG) throw new CellFault('a simplex configuration of an unknown form');
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
    throw new CellFault('a simplex configuration of an unknown form');
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
