import { accountKey } from '../../chain/address/account-key.ts';
import type { AccountPlace } from '../../pending/emulation-ground.ts';

interface Timed {
  readonly account: AccountPlace;
  readonly lt: bigint;
}

/** Transactions by logical time, which is that of cause and effect, then by account. */
export function inOrder<T extends Timed>(transactions: readonly T[]): T[] {
  return transactions.toSorted((a, b) =>
    a.lt === b.lt ? Buffer.compare(accountOf(a), accountOf(b)) : a.lt < b.lt ? -1 : 1,
  );
}

/** The account of a transaction as the index would have it. */
export function accountOf({ account }: Pick<Timed, 'account'>): Buffer {
  return accountKey(account.workchain, account.hash);
}
