import type { Slice } from '../boc/slice.ts';

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
export function readStatusChange(slice: Slice): StatusChange {
  if (!slice.boolean()) return 'unchanged';
  return slice.boolean() ? 'deleted' : 'frozen';
}
