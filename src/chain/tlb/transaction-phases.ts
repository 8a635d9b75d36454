import { CellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { type CurrencyCollection, readCurrencyCollection } from './currency.ts';

/** Rent for the time since the last transaction. */
export interface StoragePhase {
  readonly storageFeesCollected: bigint;
  readonly storageFeesDue: bigint | undefined;
  readonly statusChange: StatusChange;
}

/** What the inbound message brought. */
export interface CreditPhase {
  readonly dueFeesCollected: bigint | undefined;
  readonly credit: CurrencyCollection;
}

/** What became of a message that had to go back. */
export type BouncePhase =
  | { readonly kind: 'negfunds' }
  | { readonly kind: 'nofunds'; readonly msgSize: StorageUsed; readonly reqFwdFees: bigint }
  | {
      readonly kind: 'ok';
      readonly msgSize: StorageUsed;
      readonly msgFees: bigint;
      readonly fwdFees: bigint;
    };

/** Reads a TrStoragePhase. */
export function readStoragePhase(slice: Slice): StoragePhase {
  return {
    storageFeesCollected: slice.coins(),
    storageFeesDue: slice.boolean() ? slice.coins() : undefined,
    statusChange: readStatusChange(slice),
  };
}

/** Reads a TrCreditPhase. */
export function readCreditPhase(slice: Slice): CreditPhase {
  return {
    dueFeesCollected: slice.boolean() ? slice.coins() : undefined,
    credit: readCurrencyCollection(slice),
  };
}

/** Reads a TrBouncePhase. */
export function readBouncePhase(slice: Slice): BouncePhase {
  if (slice.boolean())
    return {
      kind: 'ok',
      msgSize: readStorageUsed(slice),
      msgFees: slice.coins(),
      fwdFees: slice.coins(),
    };
  if (!slice.boolean()) return { kind: 'negfunds' };
  return { kind: 'nofunds', msgSize: readStorageUsed(slice), reqFwdFees: slice.coins() };
}

/** Why no code ran. */
export type SkipReason = 'no_state' | 'bad_state' | 'no_gas' | 'suspended';

/** A compute phase in which no code ran. */
interface SkippedComputePhase {
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
  if (slice.boolean()) throw new CellError('an unknown reason to skip the compute phase');
  return 'suspended';
}

/** What became of the actions that the code asked for. */
export interface ActionPhase {
  readonly success: boolean;
  readonly valid: boolean;
  readonly noFunds: boolean;
  readonly statusChange: StatusChange;
  readonly totalFwdFees: bigint | undefined;
  readonly totalActionFees: bigint | undefined;
  readonly resultCode: number;
  readonly resultArg: number | undefined;
  readonly totActions: number;
  readonly specActions: number;
  readonly skippedActions: number;
  readonly msgsCreated: number;
  readonly actionListHash: Buffer;
  readonly totMsgSize: StorageUsed;
}

/** Reads a TrActionPhase from the start of its cell. */
export function readActionPhase(slice: Slice): ActionPhase {
  return {
    success: slice.boolean(),
    valid: slice.boolean(),
    noFunds: slice.boolean(),
    statusChange: readStatusChange(slice),
    totalFwdFees: slice.boolean() ? slice.coins() : undefined,
    totalActionFees: slice.boolean() ? slice.coins() : undefined,
    resultCode: slice.int(32),
    resultArg: slice.boolean() ? slice.int(32) : undefined,
    totActions: slice.uint(16),
    specActions: slice.uint(16),
    skippedActions: slice.uint(16),
    msgsCreated: slice.uint(16),
    actionListHash: slice.hash(),
    totMsgSize: readStorageUsed(slice),
  };
}

/** Where an account that is split or merged stands. */
export interface SplitMergeInfo {
  readonly curShardPfxLen: number;
  readonly accSplitDepth: number;
  readonly thisAddr: Buffer;
  readonly siblingAddr: Buffer;
}

/** Reads a SplitMergeInfo. */
export function readSplitMergeInfo(slice: Slice): SplitMergeInfo {
  return {
    curShardPfxLen: slice.uint(6),
    accSplitDepth: slice.uint(6),
    thisAddr: slice.hash(),
    siblingAddr: slice.hash(),
  };
}

/** What an account is before and after a transaction. */
export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist';

/** What a phase did to an account's status. */
export type StatusChange = 'unchanged' | 'frozen' | 'deleted';

const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const;

/** Reads an AccountStatus. */
export function readAccountStatus(slice: Slice): AccountStatus {
  return STATUSES[slice.uint(2)]!;
}

/** Reads an AccStatusChange. */
function readStatusChange(slice: Slice): StatusChange {
  if (!slice.boolean()) return 'unchanged';
  return slice.boolean() ? 'deleted' : 'frozen';
}

/** Size of something in the state. */
interface StorageUsed {
  readonly cells: number;
  readonly bits: number;
}

/** VarUInteger 7 or less as a plain number: at most 48 bits, so nothing is lost. */
function readVarNumber(slice: Slice, limit: 3 | 7): number {
  const bytes = slice.uint(limit === 3 ? 2 : 3);
  if (bytes >= limit) throw new CellError('a number that is too long');
  return bytes <= 4 ? slice.uint(8 * bytes) : slice.uint(8 * bytes - 32) * 2 ** 32 + slice.uint(32);
}

/** Reads a StorageUsed. */
function readStorageUsed(slice: Slice): StorageUsed {
  return { cells: readVarNumber(slice, 7), bits: readVarNumber(slice, 7) };
}
