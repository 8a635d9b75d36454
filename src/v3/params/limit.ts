import Type from 'typebox';
import type { Parameter } from '../../http/operation.ts';
import { int32Kind } from './int32.ts';
import { refuse } from './kind.ts';
import { scalarParam } from './scalar.ts';

/** How many rows a page has; the operator sets both. */
export interface PageLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
}

/** The parameter `limit`: rows of a page, from 1 to the operator's maximum. */
export function limitParam({ defaultLimit, maxLimit }: PageLimits): Parameter<number> {
  const limit = scalarParam(int32Kind, { description: 'Rows to return.', fallback: defaultLimit });
  return {
    ...limit,
    schema: Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit }),
    read: (input) => {
      const rows = limit.read(input);
      if (rows > maxLimit) throw refuse(input.name, `${input.name} is not allowed: ${rows} > ${maxLimit}`);
      if (rows < 1) throw refuse(input.name, `${input.name} is not allowed: ${rows} < 1`);
      return rows;
    },
  };
}
