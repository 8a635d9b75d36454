import type { AccountId } from '../tl/names.ts';

/** Whether two addresses mean the same account; no address means none. */
export function sameAccount(one: AccountId | undefined, other: AccountId): boolean {
  return one !== undefined && one.workchain === other.workchain && one.hash.equals(other.hash);
}
