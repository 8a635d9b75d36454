import { addressParam } from '../params/address.ts';
import { booleanParam } from '../params/boolean.ts';

/** The parameters of operations that tell of one account as v2 does. */
export function accountParams() {
  return {
    address: addressParam({
      description: 'Account to look up.',
      required: true,
      missingText: 'address of account is required',
    }),
    use_v2: booleanParam({
      description:
        'Asks a lite server instead of the index; states then have the names that v2 has for them.',
      fallback: false,
    }),
  };
}
