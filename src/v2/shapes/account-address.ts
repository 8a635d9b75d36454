import Type from 'typebox';
import { formatFriendly, hasFriendlyForm } from '../../chain/address/format-address.ts';
import { PlainText } from '../../http/serializer.ts';

/** `accountAddress`; empty where there is no address. */
export const AccountAddress = Type.Object({
  '@type': Type.Literal('accountAddress'),
  account_address: PlainText(),
});

/** Writes `accountAddress`. */
export function accountAddress(text: string) {
  return { '@type': 'accountAddress' as const, account_address: text };
}

/** The friendly form in which answers name accounts of the chain: bounceable, never test-only. */
export function friendlyAddress(address: { readonly workchain: number; readonly hash: Buffer }): string {
  return hasFriendlyForm(address.workchain)
    ? formatFriendly(address, { bounceable: true, testOnly: false })
    : '';
}
