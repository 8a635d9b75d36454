import Type from 'typebox';
import type { Parameter } from '../../http/operation.ts';
import { parseRefusal } from './refusal.ts';

const YES = /^(?:y|yes|t|true|on|1)$/i;
const NO = /^(?:n|no|f|false|off|0)$/i;

/** An optional yes or no: a boolean, a number, or a word for it. */
export function flag(description: string): Parameter<boolean | undefined> {
  return {
    schema: Type.Boolean(),
    description,
    required: false,
    read: (input) => {
      const given = input.values[0];
      if (given === undefined || given === null || given === '') return undefined;
      if (typeof given === 'boolean') return given;
      if (typeof given === 'bigint' || Number.isInteger(given)) return given !== 0;
      if (typeof given === 'string' && YES.test(given)) return true;
      if (typeof given === 'string' && NO.test(given)) return false;
      throw parseRefusal(input, `failed to parse ${input.name}`);
    },
  };
}
