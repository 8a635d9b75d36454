import type { Parameter } from '../../http/operation.ts';
import { toAccountBytes } from '../account-bytes.ts';
import { addressKind, addressParam } from './address.ts';
import { type ListOptions, listParam } from './list.ts';

const MAX_ACCOUNTS = 1000;

/** A parameter with many addresses, as the index has them; one that is given twice counts once. */
export function accountsParam(
  options: Omit<ListOptions, 'max'> & Partial<Pick<ListOptions, 'max'>>,
): Parameter<readonly Buffer[]> {
  const list = listParam(addressKind, { max: MAX_ACCOUNTS, ...options });
  return {
    ...list,
    read: (input) => {
      const accounts = list.read(input).map(toAccountBytes);
      return [...new Map(accounts.map((account) => [account.toString('latin1'), account])).values()];
    },
  };
}

/** A parameter with one address, as the index has it. */
export function accountParam(options: { readonly description: string }): Parameter<Buffer | undefined> {
  const address = addressParam(options);
  return {
    ...address,
    read: (input) => {
      const parsed = address.read(input);
      return parsed && toAccountBytes(parsed);
    },
  };
}
