import { accountKey } from '../../../chain/address/account-key.ts';
import type { AccountId } from '../../../chain/tl/names.ts';

/** An account as columns have it; null for none. */
export function accountOrNull(account: AccountId | undefined): Buffer | null {
  return account === undefined ? null : accountKey(account.workchain, account.hash);
}
