import Type from 'typebox';
import { parseHash } from '../../chain/hash/parse-hash.ts';
import type { ParameterKind } from './kind.ts';
import { restorePlus } from './restore-plus.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

const PADDED_CHARS = 44;
const UNPADDED_CHARS = 43;
const FORMS = { prefixedHex: true, unpaddedStandard: true };

/** A 256-bit hash: hex, `0x` and hex, base64 or base64url, padded or not (43 characters came with ref's 1.3). */
export const hashKind: ParameterKind<Buffer> = {
  schema: Type.String(),
  convert: (text) => parseHash(restorePlus(text, PADDED_CHARS, UNPADDED_CHARS), FORMS),
  commaLists: true,
  empty: 'refused',
};

/** A parameter with one hash. */
export function hashParam<const O extends ScalarOptions<Buffer>>(options: O) {
  return scalarParam(hashKind, options);
}
