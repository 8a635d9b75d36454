import { accountKey } from '../chain/address/account-key.ts';
import { formatRaw } from '../chain/address/format-address.ts';

interface AddressParts {
  readonly workchain: number;
  readonly hash: Buffer;
}

/** An account as the index has it: 33 bytes, the first of them the workchain. */
export function toAccountBytes({ workchain, hash }: AddressParts): Buffer {
  return accountKey(workchain, hash);
}

/** The workchain and the hash of an account of the index. */
export function fromAccountBytes(account: Buffer): AddressParts {
  return { workchain: account.readInt8(0), hash: account.subarray(1) };
}

/** An account of the index as answers show it. */
export function formatAccount(account: Buffer): string {
  return formatRaw(fromAccountBytes(account), 'upper');
}
