import Type from 'typebox';
import type { ParameterKind } from './kind.ts';
import { type ScalarOptions, scalarParam } from './scalar.ts';

/** Any text. Commas belong to it, so lists of it are made by repeating the name. */
export const plainStringKind: ParameterKind<string> = {
  schema: Type.String(),
  // PostgreSQL has no text with a zero character: the query would fail with a 500 for a client's mistake.
  convert: (text) => (text.includes('\0') ? undefined : text),
  empty: 'absent',
};

/** A parameter with one text. */
export function plainStringParam<const O extends ScalarOptions<string>>(options: O) {
  return scalarParam(plainStringKind, options);
}
