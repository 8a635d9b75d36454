import { formatFriendly, formatRaw } from '../../chain/address/format-address.ts';
import type { ParsedAddress } from '../../chain/address/parse-address.ts';

/** The address as it was given, in the one spelling of its form: raw in upper case, or friendly with its flags. */
export function canonicalAddress(address: ParsedAddress): string {
  return address.form === 'friendly' ? formatFriendly(address, address) : formatRaw(address, 'upper');
}
