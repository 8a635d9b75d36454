import Type from 'typebox';
import { hasFriendlyForm } from '../../chain/address/format-address.ts';
import { type ParsedAddress, parseAddress } from '../../chain/address/parse-address.ts';
import type { ParameterKind } from './kind.ts';
import { restorePlus } from './restore-plus.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

const FRIENDLY_CHARS = 48;

/** An account address, raw or friendly. */
export const addressKind: ParameterKind<ParsedAddress> = {
  schema: Type.String(),
  convert: (text) => {
    const address = parseAddress(restorePlus(text, FRIENDLY_CHARS));
    // v2 reads 64 hex digits alone as a masterchain account; here they are no address. v3 knows workchains of
    // one signed byte only, which is what the friendly form holds.
    return address && address.form !== 'bare' && hasFriendlyForm(address.workchain) ? address : undefined;
  },
  commaLists: true,
  empty: 'refused',
};

/** A parameter with one account address. */
export function addressParam<const O extends ScalarOptions<ParsedAddress>>(options: O) {
  return scalarParam(addressKind, options);
}
