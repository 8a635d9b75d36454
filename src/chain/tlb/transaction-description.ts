import { CellFault } from '../boc/cell-fault.ts';
import type { Slice } from '../boc/slice.ts';
import { type ActionPhase, readActionPhase } from './transaction-action-phase.ts';
import { type ComputePhase, readComputePhase } from './transaction-compute-phase.ts';
import {
  type BouncePhase,
  type CreditPhase,
  readBouncePhase,
  readCreditPhase,
  readStoragePhase,
  type StoragePhase,
} from './transaction-phases.ts';
import { readSplitMergeInfo, type SplitMergeInfo } from './transaction-split-merge.ts';

/** An ordinary transaction: an account got a message. */
export interface OrdinaryDescription {
  readonly kind: 'ord';
  readonly creditFirst: boolean;
  readonly storage: StoragePhase | undefined;
  readonly credit: CreditPhase | undefined;
  readonly compute: ComputePhase;
  readonly action: ActionPhase | undefined;
  readonly aborted: boolean;
  readonly bounce: BouncePhase | undefined;
  readonly destroyed: boolean;
}

/** A transaction that only collects rent. */
export interface StorageDescription {
  readonly kind: 'storage';
  readonly storage: StoragePhase;
}

/** A special account ran at the start (tick) or end (tock) of a masterchain block. */
export interface TickTockDescription {
  readonly kind: 'tick_tock';
  readonly isTock: boolean;
  readonly storage: StoragePhase;
  readonly compute: ComputePhase;
  readonly action: ActionPhase | undefined;
  readonly aborted: boolean;
  readonly destroyed: boolean;
}

/** The first half of splitting an account. */
export interface SplitPrepareDescription {
  readonly kind: 'split_prepare';
  readonly splitInfo: SplitMergeInfo;
  readonly storage: StoragePhase | undefined;
  readonly compute: ComputePhase;
  readonly action: ActionPhase | undefined;
  readonly aborted: boolean;
  readonly destroyed: boolean;
}

/** The second half of splitting an account. */
export interface SplitInstallDescription {
  readonly kind: 'split_install';
  readonly splitInfo: SplitMergeInfo;
  /** The cell of the transaction that prepared this one. */
  readonly prepareTransaction: number;
  readonly installed: boolean;
}

/** The first half of merging two accounts. */
export interface MergePrepareDescription {
  readonly kind: 'merge_prepare';
  readonly splitInfo: SplitMergeInfo;
  readonly storage: StoragePhase;
  readonly aborted: boolean;
}

/** The second half of merging two accounts. */
export interface MergeInstallDescription {
  readonly kind: 'merge_install';
  readonly splitInfo: SplitMergeInfo;
  /** The cell of the transaction that prepared this one. */
  readonly prepareTransaction: number;
  readonly storage: StoragePhase | undefined;
  readonly credit: CreditPhase | undefined;
  readonly compute: ComputePhase;
  readonly action: ActionPhase | undefined;
  readonly aborted: boolean;
  readonly destroyed: boolean;
}

/** What happened in a transaction, phase by phase. */
export type TransactionDescription =
  | OrdinaryDescription
  | StorageDescription
  | TickTockDescription
  | SplitPrepareDescription
  | SplitInstallDescription
  | MergePrepareDescription
  | MergeInstallDescription;

/** All fields that a description of any kind may have. */
export interface AnyDescription {
  readonly aborted?: boolean;
  readonly destroyed?: boolean;
  readonly creditFirst?: boolean;
  readonly isTock?: boolean;
  readonly installed?: boolean;
  readonly storage?: StoragePhase | undefined;
  readonly credit?: CreditPhase | undefined;
  readonly compute?: ComputePhase;
  readonly action?: ActionPhase | undefined;
  readonly bounce?: BouncePhase | undefined;
  readonly splitInfo?: SplitMergeInfo;
}

/** Reads a TransactionDescr from the start of its cell. */
export function readTransactionDescription(slice: Slice): TransactionDescription {
  switch (slice.uint(3)) {
    case 0b000:
      return slice.boolean() ? { kind: 'storage', storage: readStoragePhase(slice) } : readOrdinary(slice);
    case 0b001:
      return readTickTock(slice);
    case 0b010:
      return slice.boolean() ? readSplitInstall(slice) : readSplitPrepare(slice);
    case 0b011:
      return slice.boolean() ? readMergeInstall(slice) : readMergePrepare(slice);
    default:
      throw new CellFault('a transaction of an unknown kind');
  }
}

// Fields stand in the order in which they are read: an object literal evaluates them from top to bottom.

function readOrdinary(slice: Slice): OrdinaryDescription {
  return {
    kind: 'ord',
    creditFirst: slice.boolean(),
    storage: maybeStorage(slice),
    credit: maybeCredit(slice),
    compute: readComputePhase(slice),
    action: maybeAction(slice),
    aborted: slice.boolean(),
    bounce: slice.boolean() ? readBouncePhase(slice) : undefined,
    destroyed: slice.boolean(),
  };
}

function readTickTock(slice: Slice): TickTockDescription {
  return {
    kind: 'tick_tock',
    isTock: slice.boolean(),
    storage: readStoragePhase(slice),
    compute: readComputePhase(slice),
    action: maybeAction(slice),
    aborted: slice.boolean(),
    destroyed: slice.boolean(),
  };
}

function readSplitPrepare(slice: Slice): SplitPrepareDescription {
  return {
    kind: 'split_prepare',
    splitInfo: readSplitMergeInfo(slice),
    storage: maybeStorage(slice),
    compute: readComputePhase(slice),
    action: maybeAction(slice),
    aborted: slice.boolean(),
    destroyed: slice.boolean(),
  };
}

function readSplitInstall(slice: Slice): SplitInstallDescription {
  return {
    kind: 'split_install',
    splitInfo: readSplitMergeInfo(slice),
    prepareTransaction: slice.ref(),
    installed: slice.boolean(),
  };
}

function readMergePrepare(slice: Slice): MergePrepareDescription {
  return {
    kind: 'merge_prepare',
    splitInfo: readSplitMergeInfo(slice),
    storage: readStoragePhase(slice),
    aborted: slice.boolean(),
  };
}

function readMergeInstall(slice: Slice): MergeInstallDescription {
  return {
    kind: 'merge_install',
    splitInfo: readSplitMergeInfo(slice),
    prepareTransaction: slice.ref(),
    storage: maybeStorage(slice),
    credit: maybeCredit(slice),
    compute: readComputePhase(slice),
    action: maybeAction(slice),
    aborted: slice.boolean(),
    destroyed: slice.boolean(),
  };
}

function maybeStorage(slice: Slice): StoragePhase | undefined {
  return slice.boolean() ? readStoragePhase(slice) : undefined;
}

function maybeCredit(slice: Slice): CreditPhase | undefined {
  return slice.boolean() ? readCreditPhase(slice) : undefined;
}

function maybeAction(slice: Slice): ActionPhase | undefined {
  return slice.boolean() ? readActionPhase(slice.refSlice()) : undefined;
}
