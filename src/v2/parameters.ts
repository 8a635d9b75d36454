import Type from 'typebox';
import { parseHash } from '../chain/hash.ts';
import { decodeBase64 } from '../chain/stack/arguments.ts';
import type { Operation, Parameter, ParameterInput, ParameterOrigin } from '../http/operation.ts';
import { Failure } from '../lib/errors.ts';
import type { LiveCall } from '../live/session.ts';

/** Values by the names they were sent with. */
export type SentValues = Readonly<Record<string, unknown>>;
const NO_VALUES: readonly unknown[] = [];
const NOTHING: SentValues = {};

/** How the values of one call came. */
export interface SentParameters {
  /** The query string, or the body or `params` of a JSON-RPC call. */
  readonly given: unknown;
  readonly origin: ParameterOrigin;
  /** Whether they are `params` of JSON-RPC, which are looked at more strictly. */
  readonly isRpc: boolean;
}

/** Reads an operation's parameters in two steps: what was sent by name, then what each value means. */
interface ParamReader {
  /**
   * The values by their names. Names that the operation does not know are ignored in a query string and refused in
   * JSON-RPC `params`, and in a JSON body by most operations.
   */
  readonly open: (sent: SentParameters) => SentValues;
  readonly read: (values: SentValues, origin: ParameterOrigin) => Record<string, unknown>;
}

/** Makes the reader of an operation's parameters. */
export function createParamReader({
  parameters,
  ignoreUnknownProperties,
}: Pick<Operation<LiveCall>, 'parameters' | 'ignoreUnknownProperties'>): ParamReader {
  const entries = Object.entries(parameters);

  function openBody(body: unknown, isRpc: boolean): SentValues {
    if (body === undefined || body === null) return NOTHING;
    if (typeof body !== 'object' || Array.isArray(body)) {
      throw new Failure('invalid', `${PARSE_PREFIX.body}Error at path '/': must be an object`);
    }
    if (ignoreUnknownProperties && !isRpc) return body as SentValues;
    for (const name of Object.keys(body)) {
      if (!Object.hasOwn(parameters, name)) throw unknownProperty(name);
    }
    return body as SentValues;
  }

  return {
    open: ({ given, origin, isRpc }) => (origin === 'query' ? (given as SentValues) : openBody(given, isRpc)),
    read(source, origin) {
      const read: Record<string, unknown> = {};
      for (const [name, parameter] of entries) {
        const given = Object.hasOwn(source, name) ? source[name] : undefined;
        const several = origin === 'query' && Array.isArray(given);
        const values = given === undefined ? NO_VALUES : several ? given : [given];
        read[name] = parameter.read({ name, values, origin });
      }
      return read;
    },
  };
}

function unknownProperty(name: string): Failure {
  const text = `Error at path '/': Unknown property '${name.slice(0, 64)}'`;
  return new Failure('invalid', `${PARSE_PREFIX.body}${text}`);
}

const MAX_ECHO_CHARS = 256;

/** The wording in front of every parse error, by where the parameter came from. */
export const PARSE_PREFIX: Readonly<Record<ParameterOrigin, string>> = {
  query: 'failed to parse get request: ',
  body: 'failed to parse post request: ',
};

/** The wording in front of what is wrong with parameters that could be parsed. */
const VALIDATE_PREFIX = 'failed to validate request: ';

/** Parameters that can be parsed and do not make sense, alone or together. */
export function validateRefusal(detail: string): Failure {
  return new Failure('invalid', `${VALIDATE_PREFIX}${detail}`);
}

/** A parameter that could not be parsed; in a body the path of the property is named as well. */
export function parseRefusal(input: ParameterInput, detail: string): Failure {
  const path = input.origin === 'body' ? `Error at path '${input.name}': ` : '';
  return new Failure('invalid', `${PARSE_PREFIX[input.origin]}${path}${detail}`, {
    details: { parameter: input.name },
  });
}

/** A required property that a body does not have. */
export function missingRefusal(input: ParameterInput): Failure {
  return new Failure('invalid', `${PARSE_PREFIX[input.origin]}Field '${input.name}' is missing`, {
    details: { parameter: input.name },
  });
}

/** The caller's own text inside a refusal, bounded. */
export function echo(text: string): string {
  return text.length <= MAX_ECHO_CHARS ? text : `${text.slice(0, MAX_ECHO_CHARS)}…`;
}

/** What is said of a parameter that cannot be parsed, for examples. */
export function parseRefusalTexts(name: string): Record<ParameterOrigin, string> {
  const detail = `failed to parse ${name}`;
  return {
    query: PARSE_PREFIX.query + detail,
    body: `${PARSE_PREFIX.body}Error at path '${name}': ${detail}`,
  };
}

/**
 * The text given for a required parameter: the first value counts. An absent query parameter reads as the empty
 * string, an absent (or null) property of a body is missing.
 */
export function requiredText(input: ParameterInput): string {
  const value = input.values[0];
  if (typeof value === 'string') return value;
  if (value !== undefined && value !== null) throw parseRefusal(input, 'must be a string');
  if (input.origin === 'body') throw missingRefusal(input);
  return '';
}

/** Undoes what form decoding did to unescaped base64 in a query: `+` became a space. */
export function restorePlus(text: string): string {
  return text.includes(' ') ? text.replaceAll(' ', '+') : text;
}

/** What an integer parameter allows beside fitting its size. */
export interface IntegerRule {
  readonly description: string;
  /** 1 for a positive number, 0 for one that is not negative. */
  readonly minimum?: 0 | 1;
  readonly maximum?: number;
  /** What is said where a required one is not in a query string; otherwise that it cannot be parsed. */
  readonly missing?: string;
}

const INT32 = { least: -(2n ** 31n), most: 2n ** 31n - 1n };
const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
const DECIMAL = /^[+-]?[0-9]{1,20}$/;

/** A required integer of 32 bits. */
export function requiredInt32(rule: IntegerRule): Parameter<number> {
  return { ...shapeOf(rule, true), read: (input) => Number(readRequired(input, rule, INT32)) };
}

/** An optional integer of 32 bits. */
export function optionalInt32(rule: IntegerRule): Parameter<number | undefined>;
export function optionalInt32(rule: IntegerRule, fallback: number): Parameter<number>;
export function optionalInt32(rule: IntegerRule, fallback?: number): Parameter<number | undefined> {
  const shape = shapeOf(rule, false);
  return {
    ...shape,
    schema: fallback === undefined ? shape.schema : { ...shape.schema, default: fallback },
    read: (input) => {
      const value = readInteger(input, rule, INT32);
      return value === undefined ? fallback : Number(value);
    },
  };
}

/** A required integer of 64 bits, such as a logical time. */
export function requiredInt64(rule: IntegerRule): Parameter<bigint> {
  return { ...shapeOf(rule, true), read: (input) => readRequired(input, rule, INT64) };
}

/** An optional integer of 64 bits. */
export function optionalInt64(rule: IntegerRule): Parameter<bigint | undefined> {
  return { ...shapeOf(rule, false), read: (input) => readInteger(input, rule, INT64) };
}

function shapeOf({ description, minimum, maximum }: IntegerRule, required: boolean) {
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  return { schema: Type.Integer(bounds), description, required };
}

function readRequired(input: ParameterInput, rule: IntegerRule, size: typeof INT64): bigint {
  const value = readInteger(input, rule, size);
  if (value !== undefined) return value;
  if (input.origin === 'body') throw missingRefusal(input);
  throw parseRefusal(input, rule.missing ?? `failed to parse ${input.name}`);
}

function readInteger(input: ParameterInput, rule: IntegerRule, size: typeof INT64): bigint | undefined {
  const given = input.values[0];
  if (given === undefined || given === null || given === '') return undefined;
  const value = toInteger(given);
  if (value === undefined || value < size.least || value > size.most)
    throw parseRefusal(input, `failed to parse ${input.name}`);
  checkBounds(input.name, value, rule);
  return value;
}

function toInteger(given: unknown): bigint | undefined {
  if (typeof given === 'bigint') return given;
  if (typeof given === 'number') return Number.isSafeInteger(given) ? BigInt(given) : undefined;
  return typeof given === 'string' && DECIMAL.test(given) ? BigInt(given.replace('+', '')) : undefined;
}

function checkBounds(name: string, value: bigint, { minimum, maximum }: IntegerRule): void {
  const fault =
    minimum !== undefined && value < minimum
      ? `should be ${minimum === 1 ? 'positive' : 'non-negative'}`
      : maximum !== undefined && value > maximum
        ? `should be less or equal ${maximum}`
        : undefined;
  if (fault !== undefined)
    throw new Failure('invalid', `${VALIDATE_PREFIX}${name} ${fault}`, { details: { parameter: name } });
}

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

/** A required 256-bit hash in any form. */
export function hash(description = '256-bit hash: hex, base64, or base64url.'): Parameter<Buffer> {
  return {
    schema: Type.String({ pattern: '^([A-Za-z0-9+/_-]{43}=|[A-Za-z0-9_-]{43}|[0-9a-fA-F]{64})$' }),
    description,
    required: true,
    read: (input) => {
      const text = input.values[0] === undefined || input.values[0] === null ? '' : requiredText(input);
      if (text === '') throw new Failure('invalid', 'empty hash', { details: { parameter: input.name } });
      const parsed = parseHash(restorePlus(text));
      if (parsed === undefined) throw parseRefusal(input, `invalid hash: '${echo(text)}'`);
      return parsed;
    },
  };
}

/** An optional 256-bit hash in any form; an empty one counts as absent. */
export function optionalHash(description: string): Parameter<Buffer | undefined> {
  return {
    ...hash(description),
    required: false,
    read: (input) => {
      const given = input.values[0];
      if (given === undefined || given === null || given === '') return undefined;
      const parsed = typeof given === 'string' ? parseHash(restorePlus(given)) : undefined;
      if (parsed === undefined) throw parseRefusal(input, `failed to parse ${input.name}`);
      return parsed;
    },
  };
}

const SCHEMA = Type.String({ pattern: '^[A-Za-z0-9+/_=\\s-]*$' });

/** Required bytes in base64; with `filled`, none at all are refused. */
export function bytes({
  description,
  filled = false,
}: {
  readonly description: string;
  readonly filled?: boolean;
}): Parameter<Buffer> {
  return {
    schema: SCHEMA,
    description,
    required: true,
    read: (input) => {
      const read = readBytes(input);
      if (read === undefined) throw missingRefusal(input);
      if (filled && read.length === 0) throw validateRefusal(`empty ${input.name}`);
      return read;
    },
  };
}

/** Optional bytes in base64; an empty text stands for none. */
export function optionalBytes(description: string): Parameter<Buffer | undefined> {
  return {
    schema: SCHEMA,
    description,
    required: false,
    read: (input) => {
      const read = readBytes(input);
      return read?.length === 0 ? undefined : read;
    },
  };
}

function readBytes(input: ParameterInput): Buffer | undefined {
  const given = input.values[0];
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'string') throw parseRefusal(input, 'must be a string');
  try {
    return decodeBase64(given);
  } catch (error) {
    throw error instanceof Failure ? parseRefusal(input, error.message) : error;
  }
}
