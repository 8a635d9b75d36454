import { formatRaw } from '../../chain/address/format-address.ts';
import type { AccountId } from '../../chain/tl/names.ts';

/** An address in an order as answers show it; null for no address. */
export function formatPart(account: AccountId | undefined): string | null {
  return account === undefined ? null : formatRaw(account, 'upper');
}

/** A bag of cells in an order as answers show it. */
export function formatBag(boc: Buffer | undefined): string | null {
  return boc === undefined ? null : boc.toString('base64');
}
