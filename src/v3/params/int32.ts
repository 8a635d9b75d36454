import Type from 'typebox';
import { parseDecimal } from './integer.ts';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

const MIN_INT32 = -(2 ** 31);
const MAX_INT32 = 2 ** 31 - 1;

/** A plain decimal that fits 32 signed bits. */
export const int32Kind: ParameterKind<number> = {
  schema: Type.Integer({ minimum: MIN_INT32, maximum: MAX_INT32 }),
  convert: (text) => {
    const value = parseDecimal(text, BigInt(MIN_INT32), BigInt(MAX_INT32));
    return value === undefined ? undefined : Number(value);
  },
  json: 'number',
  empty: 'absent',
};

/** A parameter with one small integer: seqno, workchain. */
export function int32Param<const O extends ScalarOptions<number>>(options: O) {
  return scalarParam(int32Kind, options);
}
