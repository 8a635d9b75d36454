import Type from 'typebox';
import type { Parameter, ParameterOrigin } from '../../http/operation.ts';
import { refuse } from '../params/kind.ts';

/** As the contract has it. */
const MAX_VALUES = 1000;

interface TextListOptions<T> {
  readonly description: string;
  /** Turns a text into a value, or throws what refuses it. */
  readonly read: (text: string, index: number, origin: ParameterOrigin) => T;
}

/** A parameter with many texts, for each of which the answer has something: an empty one counts too. */
export function textListParam<T>({ description, read }: TextListOptions<T>): Parameter<readonly T[]> {
  return {
    schema: Type.Array(Type.String(), { maxItems: MAX_VALUES }),
    description,
    required: false,
    read: ({ name, values, origin }) => {
      const given = origin === 'body' ? values.flat() : values;
      if (given.length > MAX_VALUES)
        throw refuse(name, `${name} list exceeds maximum length of ${MAX_VALUES}`);
      return given.map((text, index) => {
        if (typeof text !== 'string')
          throw refuse(
            name,
            `failed to decode: schema: error converting value for index ${index} of "${name}"`,
          );
        return read(text, index, origin);
      });
    },
  };
}
