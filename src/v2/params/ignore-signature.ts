import Type from 'typebox';
import type { Parameter } from '../../http/operation.ts';
import { parseRefusal } from './refusal.ts';

/** Whether checks of signatures succeed, which they do unless told otherwise; nothing but a JSON boolean will do. */
export function ignoreSignature(): Parameter<boolean> {
  return {
    schema: Type.Boolean({ default: true }),
    description: 'Whether every check of a signature succeeds in the run.',
    required: false,
    read: (input) => {
      const given = input.values[0] ?? true;
      if (typeof given !== 'boolean') throw parseRefusal(input, 'must be a boolean');
      return given;
    },
  };
}
