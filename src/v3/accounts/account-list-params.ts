import { addressKind } from '../params/address.ts';
import { hashKind } from '../params/hash.ts';
import { listParam } from '../params/list.ts';

const MAX_ACCOUNTS = 1000;

/** The parameters by which accounts are chosen. */
export function accountListParams() {
  return {
    address: listParam(addressKind, {
      description: 'Accounts to look up.',
      max: MAX_ACCOUNTS,
      required: true,
      missingText: 'address of account is required',
    }),
    code_hash: listParam(hashKind, {
      description: 'Only accounts with one of these codes.',
      max: MAX_ACCOUNTS,
    }),
  };
}
