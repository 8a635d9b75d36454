import Type from 'typebox';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

/** A parameter with one word of a fixed list, spelled exactly so. */
export function choiceParam<const W extends string, const O extends ScalarOptions<W>>(
  words: readonly W[],
  options: O,
) {
  const kind: ParameterKind<W> = {
    schema: Type.String({ enum: [...words] }),
    convert: (text) => words.find((word) => word === text),
    empty: 'absent',
    refusal: (name) => `${name} should be one of: ${words.join(', ')}`,
  };
  return scalarParam(kind, options);
}
