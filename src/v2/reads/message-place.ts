import { sameAccount } from '../../chain/address/same-account.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { Message } from '../../chain/tlb/message.ts';

/** A message by its two ends and the time when it was created. */
export interface MessagePlace {
  readonly source: AccountId;
  readonly destination: AccountId;
  readonly createdLt: bigint;
}

/** Whether a message is the one from an account, or to one, that was created at a time; never one from or to outside. */
export function isMessage(
  { info }: Message,
  end: 'src' | 'dest',
  account: AccountId,
  createdLt: bigint,
): boolean {
  if (info.kind !== 'internal' || info.createdLt !== createdLt) return false;
  const address = info[end];
  return address.kind === 'std' && sameAccount(address, account);
}
