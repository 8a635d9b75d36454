import { sql } from 'kysely';
import type { OrderKey } from './page.ts';
import type { TransactionFilters } from './transactions.ts';

/** Accounts in the order of their raw form: there the masterchain, whose number is negative, comes first. */
export function byAccount(direction: 'asc' | 'desc'): OrderKey {
  return { by: sql`set_byte(account, 0, get_byte(account, 0) # 128)`, type: 'bytea', direction };
}

/** Transactions in the order of logical time, and of accounts where that is the same. */
export function byLt(direction: 'asc' | 'desc'): readonly OrderKey[] {
  return [{ by: sql`lt`, type: 'bigint', direction }, byAccount('asc')];
}

/** The order of a list of transactions, which depends on what is asked for. */
export function transactionOrder(
  { lt, hashes, accounts, mcSeqno, span }: TransactionFilters,
  direction: 'asc' | 'desc',
): readonly OrderKey[] {
  if (lt !== undefined) return [byAccount(direction)];
  if (hashes.length > 0) return [{ by: sql`hash`, type: 'bytea', direction }];
  // Blocks of an account's shards follow each other in time and in logical time, so the two orders are the same here.
  if (accounts.length === 1) return [{ by: sql`lt`, type: 'bigint', direction }];
  const isTimed = span.startUtime !== undefined || span.endUtime !== undefined;
  if (mcSeqno !== undefined || !isTimed) return byLt(direction);
  return [{ by: sql`now`, type: 'bigint', direction }, ...byLt(direction)];
}
