import type { Parameter, ParameterInput } from '../../http/operation.ts';
import { type ParameterKind, refuseMissing, refuseValue, textOf } from './kind.ts';

/** What an operation says about a parameter with one value. */
export interface ScalarOptions<T> {
  readonly description: string;
  readonly required?: boolean;
  /** Text of the refusal when a required parameter is missing, where the contract has its own. */
  readonly missingText?: string;
  /** Value when the parameter is absent. */
  readonly fallback?: T;
}

/** The type a handler gets: undefined only when the parameter is neither required nor has a fallback. */
export type ScalarValue<T, O> = O extends { required: true } | { fallback: T } ? T : T | undefined;

/** A parameter with one value: the last occurrence wins. */
export function scalarParam<T, const O extends ScalarOptions<T>>(
  kind: ParameterKind<T>,
  options: O,
): Parameter<ScalarValue<T, O>> {
  const { description, required = false, missingText, fallback } = options;
  return {
    schema: fallback === undefined ? kind.schema : { ...kind.schema, default: fallback },
    description,
    required,
    read: (input) => {
      const value = readScalar(kind, input) ?? fallback;
      if (value === undefined && required) throw refuseMissing(input.name, missingText);
      return value as ScalarValue<T, O>;
    },
  };
}

function readScalar<T>(kind: ParameterKind<T>, { name, values }: ParameterInput): T | undefined {
  const last = values.at(-1);
  if (last === undefined || (last === '' && kind.empty === 'absent')) return undefined;
  const text = textOf(kind, last);
  const value = text === undefined ? undefined : kind.convert(text);
  if (value === undefined) throw refuseValue(kind, name);
  return value;
}
