import type { IncomingHttpHeaders } from 'node:http';
import type { TSchema } from 'typebox';
import Type from 'typebox';
import {
  type Operation,
  type Parameter,
  type ParameterInput,
  type ParameterOrigin,
  parseSwitch,
  unknownName,
  unknownNames,
} from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import { wrongValue } from '../lib/wrong-value.ts';

/** Integer bounds, for `parseDecimal`. */
export const MIN_INT32 = -(2n ** 31n);
export const MAX_INT32 = 2n ** 31n - 1n;
export const MAX_UINT32 = 2n ** 32n - 1n;
export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_UINT64 = 2n ** 64n - 1n;

const DECIMAL = /^[+-]?[0-9]+$/;
/** Longer runs of digits are out of every range, or only zero-padded. */
export const MAX_DIGITS = 64;

/** Parses a plain decimal integer within the range; undefined for anything else. */
export function parseDecimal(text: string, min: bigint, max: bigint): bigint | undefined {
  if (text.length > MAX_DIGITS || !DECIMAL.test(text)) return undefined;
  // BigInt() accepts a minus sign but no plus sign.
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value >= min && value <= max ? value : undefined;
}

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
   * The meaning of an empty scalar. Filters by an address, hash, shard, opcode or time refuse it: silently dropping the
   * filter would return the rows of everybody. Elsewhere clients mean "not set", and the reference server accepts it.
   */
  readonly empty: 'refused' | 'absent';
  /** The error text, if it is not the general one. */
  readonly refusal?: (name: string) => string;
  /** The accepted form, for a text that is well-formed but not accepted here. */
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

export function lateParam<T>(parameter: Parameter<T>): Parameter<LateValue<T>> {
  return {
    ...parameter,
    read: (input) => ({
      isGiven: (input.values.at(-1) ?? '') !== '',
      read: () => parameter.read(input),
    }),
  };
}

/** Reads values together: the error says how many others there are. */
export function readTogether<T>(values: readonly LateValue<T>[]): T[] {
  const failures: Failure[] = [];
  const results = values.flatMap((value) => {
    try {
      return [value.read()];
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'invalid') throw error;
      failures.push(error);
      return [];
    }
  });
  if (failures.length > 0) throw joinFailures(failures);
  return results;
}

/** The text of one value as it was sent; undefined if a body holds a value of another type. */
function textOf(kind: ParameterKind<unknown>, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (kind.json === 'number' && (typeof value === 'number' || typeof value === 'bigint'))
    return String(value);
  if (kind.json === 'boolean' && typeof value === 'boolean') return String(value);
  return undefined;
}

export interface ScalarOptions<T> {
  readonly required?: boolean;
  /** The error text for a missing parameter, if the contract has its own. */
  readonly missingText?: string;
  readonly fallback?: T;
}

/** The type a handler gets: undefined only if the parameter is neither required nor has a fallback. */
type ScalarValue<T, O> = O extends { required: true } | { fallback: T } ? T : T | undefined;

/** A parameter with one value: the last occurrence wins. */
export function scalarParam<T, const O extends ScalarOptions<T>>(
  kind: ParameterKind<T>,
  description: string,
  options?: O,
): Parameter<ScalarValue<T, O>> {
  const { required = false, missingText, fallback }: ScalarOptions<T> = options ?? {};
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

export interface ListOptions {
  readonly max: number;
  /** The error text above `max`, if the contract has its own. */
  readonly tooManyText?: string;
  readonly required?: boolean;
  readonly missingText?: string;
  /** Lets commas separate values of a kind without comma lists of its own. */
  readonly splitCommas?: boolean;
}

/** A parameter with many values: repeated names, comma lists if the kind has them, an array in a body. */
export function listParam<T>(
  kind: ParameterKind<T>,
  description: string,
  options: ListOptions,
): Parameter<readonly T[]> {
  const { max, required = false } = options;
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

/** The values of a request: all values of each name, names in lower case. */
export interface RequestValues {
  readonly origin: ParameterOrigin;
  readonly values: ReadonlyMap<string, readonly unknown[]>;
}

const NO_VALUES: readonly unknown[] = [];

/**
 * Values of a parsed query string. Letter case of names does not count and `name[]` is `name`. Occurrences keep
 * their order within one spelling of a name; the parser has grouped them by spelling.
 */
export function queryValues(query: unknown): RequestValues {
  const values = new Map<string, readonly unknown[]>();
  for (const [spelling, sent] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    const name = (spelling.endsWith('[]') ? spelling.slice(0, -2) : spelling).toLowerCase();
    const before = values.get(name);
    const added = Array.isArray(sent) ? sent : [sent];
    values.set(name, before === undefined ? added : [...before, ...added]);
  }
  return { origin: 'query', values };
}

/** Values of a JSON body: one per property, an array counts as one; null means absent. */
export function bodyValues(body: unknown): RequestValues {
  const values = new Map<string, readonly unknown[]>();
  if (body === undefined || body === null) return { origin: 'body', values };
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Failure('invalid', 'failed to decode: request body must be a JSON object');
  }
  for (const [name, value] of Object.entries(body)) {
    if (value !== null) values.set(name.toLowerCase(), [value]);
  }
  return { origin: 'body', values };
}

/** Parameters that every operation takes, in the query or in a body. */
const COMMON_NAMES = [
  'min_seqno',
  'x_timeout',
  'x_no_address_book',
  'x_no_metadata',
  'x_debug_request',
  'x_strict_params',
];

/** Keys are checked before there is a body. */
const KEY_NAME = 'api_key';
const NAMES_BESIDE_BODY: ReadonlySet<string> = new Set([KEY_NAME, ...COMMON_NAMES]);

/** Creates the check for names in a request that an operation does not know. */
export function createUnknownNames(operation: Pick<Operation<never>, 'parameters'>) {
  const inBody = new Set([
    ...Object.keys(operation.parameters).map((name) => name.toLowerCase()),
    ...COMMON_NAMES,
  ]);
  const known = new Set([KEY_NAME, ...inBody]);
  return {
    find: ({ values, origin }: RequestValues): string[] =>
      unknownNames(values.keys(), origin === 'body' ? inBody : known) ?? [],
    /** The same for the query of a request with a body, which has the parameters of the operation. */
    findBesideBody: ({ values }: RequestValues): string[] =>
      unknownNames(values.keys(), NAMES_BESIDE_BODY) ?? [],
    /** The error for a caller that wants none. */
    refuse: (name: string): Failure => unknownName(name, 'unknown parameter', name, known),
  };
}

/** The parameters of an operation with their names in lower case, each listed once: there are twenty, and most are absent. */
const listed = new WeakMap<object, readonly (readonly [name: string, key: string, Parameter<unknown>])[]>();

function listParameters({ parameters }: Pick<Operation<never>, 'parameters'>) {
  let list = listed.get(parameters);
  if (list === undefined) {
    list = Object.entries(parameters).map(([name, one]) => [name, name.toLowerCase(), one] as const);
    listed.set(parameters, list);
  }
  return list;
}

/** Reads the parameters of an operation; unknown names are ignored, the error says how many others there are. */
export function readParams(
  operation: Pick<Operation<never>, 'parameters'>,
  { origin, values }: RequestValues,
): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  const failures: Failure[] = [];
  for (const [name, key, parameter] of listParameters(operation)) {
    try {
      params[name] = parameter.read({ name, values: values.get(key) ?? NO_VALUES, origin });
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'invalid') throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw joinFailures(failures);
  return params;
}

/** Options of every operation, by header or by the equivalent query parameter. */
export interface V3RequestOptions {
  /** Timeout of the database statements of the request. */
  readonly timeoutMs: number;
  readonly noAddressBook: boolean;
  readonly noMetadata: boolean;
  readonly debug: boolean;
  readonly isStrict: boolean;
  readonly minSeqno: number | undefined;
  /** Version of the action types; replaces the parameter `supported_action_types`. */
  readonly actionsVersion: string | undefined;
}

const MAX_TIMEOUT_MS = 3000;

/** Reads the request options; the header wins over its twins in query and body, an empty value counts as absent. */
export function readRequestOptions(
  headers: IncomingHttpHeaders,
  query: RequestValues,
  body?: RequestValues,
  isStrict = false,
): V3RequestOptions {
  const sent = (name: string): Given | undefined =>
    given(name, query.values.get(name)?.at(-1)) ?? given(name, body?.values.get(name)?.at(-1));
  const pick = (header: string, twin: string): Given | undefined =>
    given(header, headers[header.toLowerCase()]) ?? sent(twin);
  return {
    timeoutMs: readTimeout(pick('X-Timeout', 'x_timeout')),
    noAddressBook: readSwitch(pick('X-No-Address-Book', 'x_no_address_book')),
    noMetadata: readSwitch(pick('X-No-Metadata', 'x_no_metadata')),
    debug: readSwitch(pick('X-Debug-Request', 'x_debug_request')),
    isStrict: readSwitch(pick('X-Strict-Params', 'x_strict_params')) || isStrict,
    minSeqno: readMinSeqno(sent('min_seqno')?.text),
    actionsVersion: given('X-Actions-Version', headers['x-actions-version'])?.text,
  };
}

interface Given {
  readonly name: string;
  readonly text: string;
}

/** A body may have a number, a boolean, or something that is refused as what it is not. */
function given(name: string, value: unknown): Given | undefined {
  return value === undefined || value === '' ? undefined : { name, text: String(value) };
}

/** An unreadable timeout is ignored, as the contract says; no time at all is a mistake of the caller. */
function readTimeout(given: Given | undefined): number {
  const ms = given && parseDecimal(given.text, MIN_INT64, MAX_INT64);
  if (ms === undefined) return MAX_TIMEOUT_MS;
  if (ms < 1n)
    throw invalidParameter(given!.name, wrongValue(given!.name, '1 or more milliseconds', given!.text));
  return Math.min(Number(ms), MAX_TIMEOUT_MS);
}

function readMinSeqno(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seqno = parseDecimal(text, 0n, MAX_INT32);
  if (seqno === undefined)
    throw invalidParameter('min_seqno', wrongValue('min_seqno', 'a masterchain seqno', text));
  return Number(seqno);
}

/** Unlike parameters, switches do not know the word `on`. Other words are rejected: a known name is never ignored. */
function readSwitch(given: Given | undefined): boolean {
  if (given === undefined) return false;
  const value = parseSwitch(given.text);
  if (value !== undefined) return value;
  throw invalidParameter(given.name, `failed to decode: schema: error converting value for "${given.name}"`);
}
