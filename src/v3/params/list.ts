import Type from 'typebox';
import type { Parameter, ParameterInput } from '../../http/operation.ts';
import { type ParameterKind, refuse, refuseMissing, textOf } from './kind.ts';

/** What an operation says about a parameter with many values. */
export interface ListOptions {
  readonly description: string;
  /** Most values a request may give. */
  readonly max: number;
  /** Text of the refusal above `max`, where the contract has its own. */
  readonly tooManyText?: string;
  readonly required?: boolean;
  readonly missingText?: string;
  /** Makes commas separate values of a kind that has no comma lists of its own. */
  readonly splitCommas?: boolean;
}

/** A parameter with many values: repeated names, comma lists where the kind has them, an array in a body. */
export function listParam<T>(kind: ParameterKind<T>, options: ListOptions): Parameter<readonly T[]> {
  const { description, max, required = false } = options;
  const split = options.splitCommas ?? kind.commaLists ?? false;
  return {
    schema: Type.Array(kind.schema, { maxItems: max }),
    description,
    required,
    read: (input) => {
      const elements = elementsOf(input, split);
      // Empty elements do not count: `address=` is a list that was not given.
      const given = elements.reduce<number>((count, element) => (isEmpty(element) ? count : count + 1), 0);
      if (given === 0 && required) throw refuseMissing(input.name, options.missingText);
      if (given > max) throw refuse(input.name, options.tooManyText ?? tooMany(input.name, max));
      return convertAll(kind, input.name, elements);
    },
  };
}

function elementsOf({ values, origin }: ParameterInput, split: boolean): readonly unknown[] {
  const given = origin === 'body' ? values.flat() : values;
  if (!split) return given;
  return given.flatMap((value) =>
    typeof value === 'string' && value.includes(',') ? value.split(',') : [value],
  );
}

/** Elements keep the position they were sent at, so that a refusal points at the right one. */
function convertAll<T>(kind: ParameterKind<T>, name: string, elements: readonly unknown[]): readonly T[] {
  const converted: T[] = [];
  for (const [index, element] of elements.entries()) {
    if (isEmpty(element)) continue;
    const text = textOf(kind, element);
    const value = text === undefined ? undefined : kind.convert(text);
    if (value === undefined) {
      throw refuse(name, `failed to decode: schema: error converting value for index ${index} of "${name}"`);
    }
    converted.push(value);
  }
  return converted;
}

function isEmpty(element: unknown): boolean {
  return element === '' || element === null;
}

function tooMany(name: string, max: number): string {
  return `${name} list exceeds maximum length of ${max}`;
}
