import { hasFriendlyForm } from '../../chain/address/format-address.ts';
import { Failure } from '../../lib/failure.ts';

export const WORKCHAIN_OUT_OF_RANGE = 'workchain is out of range';

/** Refuses an address whose workchain does not fit the friendly form. */
export function requireFriendlyForm(address: { readonly workchain: number }): void {
  if (hasFriendlyForm(address.workchain)) return;
  throw new Failure('invalid', WORKCHAIN_OUT_OF_RANGE, { details: { parameter: 'address' } });
}
