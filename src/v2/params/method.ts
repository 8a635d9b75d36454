import Type from 'typebox';
import { readMethodId } from '../../chain/stack/method-id.ts';
import type { Parameter } from '../../http/operation.ts';
import { missingRefusal } from './refusal.ts';

/** A required get-method, read as its id. */
export function method(): Parameter<number> {
  return {
    schema: Type.Union([Type.String(), Type.Integer()]),
    description: 'Name or id of the get-method; a text that is a number (`"85143"`, `"0x14c97"`) is an id.',
    required: true,
    read: (input) => {
      const given = input.values[0];
      if (given === undefined || given === null) throw missingRefusal(input);
      return readMethodId(given);
    },
  };
}
