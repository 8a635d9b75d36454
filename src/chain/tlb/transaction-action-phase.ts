import type { Slice } from '../boc/slice.ts';
import { readStorageUsed, type StorageUsed } from './transaction-numbers.ts';
import { readStatusChange, type StatusChange } from './transaction-status.ts';

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
