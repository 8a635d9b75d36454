import { hasFriendlyForm } from '../../chain/address/format-address.ts';
import { type ParsedAddress, parseAddress } from '../../chain/address/parse-address.ts';
import type { Parameter } from '../../http/operation.ts';
import { addressKind } from '../params/address.ts';
import type { ParameterKind } from '../params/kind.ts';
import { scalarParam } from '../params/scalar.ts';

/** Operations that v2 answers take addresses in all forms of v2, and an empty one is none. */
const anyAddressKind: ParameterKind<ParsedAddress> = {
  ...addressKind,
  convert: (text) => {
    const address = parseAddress(text);
    return address && hasFriendlyForm(address.workchain) ? address : undefined;
  },
  empty: 'absent',
};

/** The address in the body of such an operation. */
export function anyAddressParam(description: string): Parameter<ParsedAddress> {
  return scalarParam(anyAddressKind, { description, required: true });
}
