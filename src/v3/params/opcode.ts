import Type from 'typebox';
import { parseDecimal, parseHexDigits } from './integer.ts';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

const MIN_INT32 = -(2n ** 31n);
const MAX_INT32 = 2n ** 31n - 1n;

/**
 * A message opcode as a signed 32-bit number. Hex is tried first, so `123` means 0x123; decimal remains for
 * negative numbers and for nine or ten digits, which overflow as hex.
 */
export const opcodeKind: ParameterKind<number> = {
  schema: Type.String(),
  convert: (text) => {
    const prefixed = text.startsWith('0x') || text.startsWith('0X');
    const unsigned = parseHexDigits(prefixed ? text.slice(2) : text, 32);
    if (unsigned !== undefined) return Number(BigInt.asIntN(32, unsigned));
    const decimal = prefixed ? undefined : parseDecimal(text, MIN_INT32, MAX_INT32);
    return decimal === undefined ? undefined : Number(decimal);
  },
  commaLists: true,
  empty: 'refused',
};

/** A parameter with one opcode. */
export function opcodeParam<const O extends ScalarOptions<number>>(options: O) {
  return scalarParam(opcodeKind, options);
}
