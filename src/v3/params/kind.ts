import type { TSchema } from 'typebox';
import { Failure } from '../../lib/failure.ts';

/** How one value of a parameter is written: what scalars and lists of that kind share. */
export interface ParameterKind<T> {
  readonly schema: TSchema;
  /** The value, or undefined when the text is not of this kind. */
  readonly convert: (text: string) => T | undefined;
  /** Literals beside strings that a JSON body may give. Hex-first kinds have none: 123 there would be 0x123. */
  readonly json?: 'number' | 'boolean';
  /** True where the joined text of a list can never be a value itself, so that commas separate values. */
  readonly commaLists?: boolean;
  /**
   * What an empty scalar means. Filters by an address, hash, shard, opcode or time refuse it: with the filter
   * silently gone the answer would show rows of everybody. For the rest clients mean "not set", and the
   * reference server does not fail either.
   */
  readonly empty: 'refused' | 'absent';
  /** Text of a refusal, where it is not the general one. */
  readonly refusal?: (name: string) => string;
}

/** Refuses a parameter; the text must name it. */
export function refuse(name: string, text: string): Failure {
  return new Failure('invalid', text, { details: { parameter: name } });
}

/** Refuses a value that is not of the parameter's kind. */
export function refuseValue(kind: ParameterKind<unknown>, name: string): Failure {
  const text = kind.refusal?.(name) ?? `failed to decode: schema: error converting value for "${name}"`;
  return refuse(name, text);
}

/** Refuses a required parameter that was not given. */
export function refuseMissing(name: string, text: string | undefined): Failure {
  return refuse(name, text ?? `${name} is required`);
}

/** The text of one value as it was sent, or undefined when a body gives a value of another type. */
export function textOf(kind: ParameterKind<unknown>, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (kind.json === 'number' && (typeof value === 'number' || typeof value === 'bigint'))
    return String(value);
  if (kind.json === 'boolean' && typeof value === 'boolean') return String(value);
  return undefined;
}
