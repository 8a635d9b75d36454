import Type, { type TSchema } from 'typebox';
import { Failure } from '../lib/errors.ts';
import { wrongValue } from '../lib/wrong-value.ts';
import type { Parameter } from './operation.ts';

/** The error for a value; `form` is what the parameter accepts. */
export function wrongParameter(name: string, form: string, value: unknown): Failure {
  const text = value === undefined ? `${name} is required: ${form}` : wrongValue(name, form, value);
  return new Failure('invalid', text, { details: { parameter: name } });
}

/** A value that the handler checks itself. */
export function uncheckedValue(schema: TSchema, description: string, required = false): Parameter<unknown> {
  return { schema, description, required, read: ({ values: [value] }) => value };
}

/** A text that may be left out. */
export function optionalText(description: string, form = 'a text'): Parameter<string | undefined> {
  return {
    schema: Type.String(),
    description,
    required: false,
    read: ({ name, values: [value] }) => {
      if (value !== undefined && typeof value !== 'string') throw wrongParameter(name, form, value);
      return value;
    },
  };
}

/** A text that is needed; what it may be is checked elsewhere. */
export function requiredText(description: string, form = 'a text'): Parameter<string> {
  return {
    schema: Type.String(),
    description,
    required: true,
    read: ({ name, values: [value] }) => {
      if (typeof value !== 'string') throw wrongParameter(name, form, value);
      return value;
    },
  };
}

/** An integer within limits; undefined if it is left out and has no default. */
export function integerIn<F extends number | undefined>(
  description: string,
  [min, max]: readonly [number, number],
  fallback: F,
): Parameter<number | F> {
  return {
    schema: Type.Integer({
      minimum: min,
      maximum: max,
      ...(fallback !== undefined && { default: fallback }),
    }),
    description,
    required: false,
    read: ({ name, values: [value], origin }) => {
      if (value === undefined) return fallback;
      const isNumber = origin === 'query' ? typeof value === 'string' && /^\d{1,15}$/.test(value) : true;
      const number = typeof value === 'boolean' || value === '' ? Number.NaN : Number(value);
      if (!isNumber || !Number.isInteger(number) || number < min || number > max)
        throw wrongParameter(name, `an integer from ${min} to ${max}`, value);
      return number;
    },
  };
}

/** A list of texts; undefined if it is left out. In a query it is one text with commas. */
export function textList(
  description: string,
  choices?: readonly string[],
): Parameter<readonly string[] | undefined> {
  const form = choices === undefined ? 'a list of texts' : `a choice of ${choices.join(', ')}`;
  return {
    schema: Type.Array(choices === undefined ? Type.String() : Type.String({ enum: [...choices] })),
    description,
    required: false,
    read: ({ name, values: [value], origin }) => {
      if (value === undefined) return undefined;
      const list = origin === 'query' && typeof value === 'string' ? value.split(',') : value;
      const isList = Array.isArray(list) && list.every((one) => typeof one === 'string');
      if (!isList || !(list as string[]).every((one) => choices?.includes(one) ?? true))
        throw wrongParameter(name, form, value);
      return list as string[];
    },
  };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day such as `2026-03-01`; undefined if it is left out. */
export function day(description: string): Parameter<string | undefined> {
  return {
    schema: Type.String({ format: 'date' }),
    description,
    required: false,
    read: ({ name, values: [value] }) => {
      if (value === undefined) return undefined;
      const time =
        typeof value === 'string' && DAY.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
      // 2026-02-30 would be the second of March.
      if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value)
        throw wrongParameter(name, 'a day such as 2026-03-01', value);
      return value as string;
    },
  };
}
