import Type from 'typebox';
import { parseDecimal, parseHexDigits } from './integer.ts';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** A shard id: hex is tried first, then signed decimal; the value is a signed 64-bit number. */
export const shardKind: ParameterKind<bigint> = {
  schema: Type.String(),
  convert: (text) => {
    const prefixed = text.startsWith('0x');
    const unsigned = parseHexDigits(prefixed ? text.slice(2) : text, 64);
    if (unsigned !== undefined) return BigInt.asIntN(64, unsigned);
    return prefixed ? undefined : parseDecimal(text, MIN_INT64, MAX_INT64);
  },
  commaLists: true,
  empty: 'refused',
};

/** A parameter with one shard id. */
export function shardParam<const O extends ScalarOptions<bigint>>(options: O) {
  return scalarParam(shardKind, options);
}
