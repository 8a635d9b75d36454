import { CellFault } from '../boc/cell-fault.ts';
import type { Slice } from '../boc/slice.ts';
import { readVarNumber } from './transaction-numbers.ts';

/** Why no code ran. */
export type SkipReason = 'no_state' | 'bad_state' | 'no_gas' | 'suspended';

/** A compute phase in which no code ran. */
export interface SkippedComputePhase {
  readonly skipped: true;
  readonly reason: SkipReason;
}

/** A compute phase in which code ran. */
export interface VmComputePhase {
  readonly skipped: false;
  readonly success: boolean;
  readonly msgStateUsed: boolean;
  readonly accountActivated: boolean;
  readonly gasFees: bigint;
  readonly gasUsed: number;
  readonly gasLimit: number;
  readonly gasCredit: number | undefined;
  readonly mode: number;
  readonly exitCode: number;
  readonly exitArg: number | undefined;
  readonly vmSteps: number;
  readonly vmInitStateHash: Buffer;
  readonly vmFinalStateHash: Buffer;
}

/** What became of the code of an account. */
export type ComputePhase = SkippedComputePhase | VmComputePhase;

const REASONS = ['no_state', 'bad_state', 'no_gas'] as const;

/** Reads a TrComputePhase. */
export function readComputePhase(slice: Slice): ComputePhase {
  if (!slice.boolean()) return { skipped: true, reason: readReason(slice) };
  const success = slice.boolean();
  const msgStateUsed = slice.boolean();
  const accountActivated = slice.boolean();
  const gasFees = slice.coins();
  const rest = slice.refSlice();
  return {
    skipped: false,
    success,
    msgStateUsed,
    accountActivated,
    gasFees,
    gasUsed: readVarNumber(rest, 7),
    gasLimit: readVarNumber(rest, 7),
    gasCredit: rest.boolean() ? readVarNumber(rest, 3) : undefined,
    mode: rest.int(8),
    exitCode: rest.int(32),
    exitArg: rest.boolean() ? rest.int(32) : undefined,
    vmSteps: rest.uint(32),
    vmInitStateHash: rest.hash(),
    vmFinalStateHash: rest.hash(),
  };
}

function readReason(slice: Slice): SkipReason {
  const reason = REASONS[slice.uint(2)];
  if (reason !== undefined) return reason;
  if (slice.boolean()) throw new CellFault('an unknown reason to skip the compute phase');
  return 'suspended';
}
