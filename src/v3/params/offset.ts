import Type from 'typebox';
import type { Parameter } from '../../http/operation.ts';
import { int32Kind } from './int32.ts';
import { refuse } from './kind.ts';
import { scalarParam } from './scalar.ts';

/** The parameter `offset`: rows to skip in front of the page. */
export function offsetParam(): Parameter<number> {
  const offset = scalarParam(int32Kind, { description: 'Rows to skip.', fallback: 0 });
  return {
    ...offset,
    schema: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, default: 0 }),
    read: (input) => {
      const rows = offset.read(input);
      if (rows < 0) throw refuse(input.name, `${input.name} is not allowed: ${rows} < 0`);
      return rows;
    },
  };
}
