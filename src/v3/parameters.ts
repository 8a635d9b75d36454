import type { TSchema } from 'typebox';
import Type from 'typebox';
import type { Parameter, ParameterInput } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';

/** How one value of a parameter is spelled and parsed; shared by scalars and lists of that kind. */
export interface ParameterKind<T> {
  readonly schema: TSchema;
  /** The value, or undefined when the text is not of this kind. */
  readonly convert: (text: string) => T | undefined;
  /** Literals other than strings that a JSON body may hold. Kinds that try hex first have none: 123 would be 0x123. */
  readonly json?: 'number' | 'boolean';
  /** True if no value can contain a comma, so that commas separate values. */
  readonly commaLists?: boolean;
  /**
   * What an empty scalar means. Filters by an address, hash, shard, opcode or time refuse it: silently dropping the
   * filter would return the rows of everybody. Elsewhere clients mean "not set", and the reference server accepts it.
   */
  readonly empty: 'refused' | 'absent';
  /** The error text, if it is not the general one. */
  readonly refusal?: (name: string) => string;
  /** What the parameter must be, for a text that is well-formed but not accepted here. */
  readonly reasonFor?: (text: string) => string | undefined;
}

/** The error for a parameter that is refused; the text must name the parameter. */
export function invalidParameter(name: string, text: string): Failure {
  return new Failure('invalid', text, { details: { parameter: name } });
}

/** The error for a value that is not of the parameter's kind; `place` is that of an element of a list. */
function invalidValue(
  kind: ParameterKind<unknown>,
  name: string,
  value: string | undefined,
  place?: string,
): Failure {
  const reason = value === undefined ? undefined : kind.reasonFor?.(value);
  if (reason !== undefined) return invalidParameter(name, `${name} ${reason}`);
  const general = `failed to decode: schema: error converting value for ${place ?? ''}"${name}"`;
  return invalidParameter(name, place === undefined ? (kind.refusal?.(name) ?? general) : general);
}

/** The error for a required parameter that is missing. */
function missingParameter(name: string, text: string | undefined): Failure {
  return invalidParameter(name, text ?? `${name} is required`);
}

/** One error for several refused parameters: the first, and how many others there are. */
export function joinFailures(failures: readonly Failure[]): Failure {
  const first = failures[0]!;
  const others = failures.length - 1;
  if (others === 0) return first;
  const suffix = others === 1 ? ' (and 1 other error)' : ` (and ${others} other errors)`;
  return new Failure('invalid', first.message + suffix, {
    details: { ...first.details, others: failures.slice(1).map((failure) => failure.details?.parameter) },
  });
}

/** The value of a parameter that the handler reads: its error comes after those of other parameters and checks. */
export interface LateValue<T> {
  /** Whether the request has a value, right or wrong. */
  readonly isGiven: boolean;
  read(): T;
}

/** A parameter that the handler reads. */
export function lateParam<T>(parameter: Parameter<T>): Parameter<LateValue<T>> {
  return {
    schema: parameter.schema,
    description: parameter.description,
    required: parameter.required,
    read: (input) => ({
      isGiven: (input.values.at(-1) ?? '') !== '',
      read: () => parameter.read(input),
    }),
  };
}

/** Reads values together: the error says how many others there are. */
export function readTogether<T>(values: readonly LateValue<T>[]): T[] {
  const failures: Failure[] = [];
  const found = values.flatMap((value) => {
    try {
      return [value.read()];
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'invalid') throw error;
      failures.push(error);
      return [];
    }
  });
  if (failures.length > 0) throw joinFailures(failures);
  return found;
}

/** The text of one value as it was sent; undefined if a body holds a value of another type. */
function textOf(kind: ParameterKind<unknown>, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (kind.json === 'number' && (typeof value === 'number' || typeof value === 'bigint'))
    return String(value);
  if (kind.json === 'boolean' && typeof value === 'boolean') return String(value);
  return undefined;
}

/** How an operation declares a parameter with one value. */
export interface ScalarOptions<T> {
  readonly description: string;
  readonly required?: boolean;
  /** The error text for a missing parameter, if the contract has its own. */
  readonly missingText?: string;
  /** The value if the parameter is absent. */
  readonly fallback?: T;
}

/** The type a handler gets: undefined only if the parameter is neither required nor has a fallback. */
type ScalarValue<T, O> = O extends { required: true } | { fallback: T } ? T : T | undefined;

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
      if (value === undefined && required) throw missingParameter(input.name, missingText);
      return value as ScalarValue<T, O>;
    },
  };
}

function readScalar<T>(kind: ParameterKind<T>, { name, values }: ParameterInput): T | undefined {
  const last = values.at(-1);
  if (last === undefined || (last === '' && kind.empty === 'absent')) return undefined;
  const text = textOf(kind, last);
  const value = text === undefined ? undefined : kind.convert(text);
  if (value === undefined) throw invalidValue(kind, name, text);
  return value;
}

/** How an operation declares a parameter with many values. */
export interface ListOptions {
  readonly description: string;
  /** The maximum number of values in a request. */
  readonly max: number;
  /** The error text above `max`, if the contract has its own. */
  readonly tooManyText?: string;
  readonly required?: boolean;
  readonly missingText?: string;
  /** Lets commas separate values of a kind without comma lists of its own. */
  readonly splitCommas?: boolean;
}

/** A parameter with many values: repeated names, comma lists if the kind has them, an array in a body. */
export function listParam<T>(kind: ParameterKind<T>, options: ListOptions): Parameter<readonly T[]> {
  const { description, max, required = false } = options;
  const split = options.splitCommas ?? kind.commaLists ?? false;
  return {
    schema: Type.Array(kind.schema, { maxItems: max }),
    description,
    required,
    read: (input) => {
      const elements = elementsOf(input, split);
      // Empty elements do not count: `address=` is an absent list.
      const given = elements.reduce<number>((count, element) => (isEmpty(element) ? count : count + 1), 0);
      if (given === 0 && required) throw missingParameter(input.name, options.missingText);
      if (given > max) throw invalidParameter(input.name, options.tooManyText ?? tooMany(input.name, max));
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

/** Positions are those in the request, so that an error points at the right element. */
function convertAll<T>(kind: ParameterKind<T>, name: string, elements: readonly unknown[]): readonly T[] {
  const converted: T[] = [];
  for (const [index, element] of elements.entries()) {
    if (isEmpty(element)) continue;
    const text = textOf(kind, element);
    const value = text === undefined ? undefined : kind.convert(text);
    if (value === undefined) throw invalidValue(kind, name, text, `index ${index} of `);
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
