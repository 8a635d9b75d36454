import Type from 'typebox';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

const MAX_UINT32 = 2 ** 32 - 1;
const MAX_CHARS = 64;
// No two parts of it can match the same digit, so it takes linear time.
const FLOAT = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

const utimeKind: ParameterKind<number> = {
  schema: Type.Integer({ minimum: 0, maximum: MAX_UINT32 }),
  convert: (text) => {
    if (text.length > MAX_CHARS || !FLOAT.test(text)) return undefined;
    // `+ 0` turns the -0 of "-0.5" into 0.
    const seconds = Math.trunc(Number(text)) + 0;
    return seconds >= 0 && seconds <= MAX_UINT32 ? seconds : undefined;
  },
  json: 'number',
  empty: 'refused',
};

/** A parameter with a unix time in seconds; fractions are cut off, exponents are allowed. */
export function utimeParam<const O extends ScalarOptions<number>>(options: O) {
  return scalarParam(utimeKind, options);
}
