import Type from 'typebox';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

export type SortOrder = 'asc' | 'desc';

const WORDS: ReadonlyMap<string, SortOrder> = new Map([
  ['asc', 'asc'],
  ['a', 'asc'],
  ['desc', 'desc'],
  ['d', 'desc'],
]);

const sortKind: ParameterKind<SortOrder> = {
  schema: Type.String({ enum: ['asc', 'desc'] }),
  convert: (text) => WORDS.get(text.toLowerCase()),
  empty: 'absent',
  refusal: (name) => `wrong value for ${name} parameter`,
};

/** A parameter with the direction of an order. */
export function sortParam<const O extends ScalarOptions<SortOrder>>(options: O) {
  return scalarParam(sortKind, options);
}
