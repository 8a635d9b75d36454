import Type from 'typebox';
import type { StackEntry } from '../../chain/stack/stack-entry.ts';
import { readV3Stack } from '../../chain/stack/v3-input.ts';
import type { Parameter } from '../../http/operation.ts';
import { Failure } from '../../lib/failure.ts';
import { refuse } from '../params/kind.ts';

/** As much as v2 takes. To put more together would hold up everybody. */
const MAX_CHARS = 1024 * 1024;

/** The arguments of a get-method; none at all may be left out. */
export function stackParam(): Parameter<readonly StackEntry[]> {
  return {
    schema: Type.Array(
      Type.Object({
        type: Type.Enum(['num', 'cell', 'slice']),
        value: Type.Unknown({
          description: 'A number (decimal or `0x…` hex, as text or number), or a bag of cells in base64.',
        }),
      }),
    ),
    description: 'Arguments, the last one on top.',
    required: false,
    read: ({ name, values }) => {
      const given = values.at(-1);
      if (charsOf(given) > MAX_CHARS) throw refuse(name, `${name} is too large`);
      try {
        return readV3Stack(given);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { message } = error;
        throw refuse(name, message.includes(name) ? message : `${name}: ${message}`);
      }
    },
  };
}

function charsOf(stack: unknown): number {
  if (!Array.isArray(stack)) return 0;
  return stack.reduce((sum, entry) => sum + (typeof entry?.value === 'string' ? entry.value.length : 0), 0);
}
