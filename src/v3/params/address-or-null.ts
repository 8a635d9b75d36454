import type { ParsedAddress } from '../../chain/address/parse-address.ts';
import { addressKind } from './address.ts';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

/** `'null'` asks for rows that have no address there. */
export type AddressOrNull = ParsedAddress | 'null';

const addressOrNullKind: ParameterKind<AddressOrNull> = {
  ...addressKind,
  convert: (text) => (text === 'null' ? text : addressKind.convert(text)),
};

/** A parameter with one account address, or the word `null` for "has none". */
export function addressOrNullParam<const O extends ScalarOptions<AddressOrNull>>(options: O) {
  return scalarParam(addressOrNullKind, options);
}
