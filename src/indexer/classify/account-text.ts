import { ACCOUNT_BYTES } from '../../chain/address/account-key.ts';
import { fromAccountOrText, toAccountOrText } from '../../chain/address/account-or-text.ts';

/** An account of the index as the classifier writes it: raw, with upper-case digits. */
export function accountText(account: Buffer): string {
  return fromAccountOrText(account);
}

/** The account that a text of the classifier names; undefined for anything else. */
export function accountBytes(text: string): Buffer | undefined {
  const bytes = toAccountOrText(text);
  return bytes.length === ACCOUNT_BYTES ? bytes : undefined;
}
