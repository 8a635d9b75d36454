import Type from 'typebox';
import { parseDecimal } from './integer.ts';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

const MAX_UINT64 = 2n ** 64n - 1n;

const uint64Kind: ParameterKind<bigint> = {
  schema: Type.Integer({ minimum: 0 }),
  // An unsigned number has no sign, not even a plus.
  convert: (text) => (/^[0-9]/.test(text) ? parseDecimal(text, 0n, MAX_UINT64) : undefined),
  json: 'number',
  empty: 'absent',
};

/** A parameter with one unsigned 64-bit number: a logical time. It may be above what a signed column holds. */
export function uint64Param<const O extends ScalarOptions<bigint>>(options: O) {
  return scalarParam(uint64Kind, options);
}
