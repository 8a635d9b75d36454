import Type from 'typebox';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'True', 'TRUE', 'on'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

const booleanKind: ParameterKind<boolean> = {
  schema: Type.Boolean(),
  convert: (text) => WORDS.get(text),
  json: 'boolean',
  empty: 'absent',
};

/** A parameter that is on or off. */
export function booleanParam<const O extends ScalarOptions<boolean>>(options: O) {
  return scalarParam(booleanKind, options);
}
