import Type from 'typebox';
import { hasFriendlyForm, type ParsedAddress, parseAddress } from '../chain/address.ts';
import { parseHash } from '../chain/hash.ts';
import { decodeBase64 } from '../chain/stack/arguments.ts';
import type { Operation, Parameter, ParameterInput, ParameterOrigin } from '../http/operation.ts';
import { closestName } from '../lib/closest-name.ts';
import { Failure } from '../lib/errors.ts';
import type { LiveCall } from '../live/session.ts';

export type SentValues = Readonly<Record<string, unknown>>;
const NO_VALUES: readonly unknown[] = [];
const EMPTY_VALUES: SentValues = {};

export interface SentParameters {
  /** The query string, or the body or `params` of a JSON-RPC call. */
  readonly given: unknown;
  readonly origin: ParameterOrigin;
  /** Whether they are `params` of JSON-RPC, which are checked more strictly. */
  readonly isRpc: boolean;
}

/** Reads the parameters of an operation in two steps: values by name, then the meaning of each value. */
export function createParamReader({
  parameters,
  ignoreUnknownProperties,
}: Pick<Operation<LiveCall>, 'parameters' | 'ignoreUnknownProperties'>) {
  const entries = Object.entries(parameters);

  function openBody(body: unknown, isRpc: boolean): SentValues {
    if (body === undefined || body === null) return EMPTY_VALUES;
    if (typeof body !== 'object' || Array.isArray(body))
      throw bodyRefusal("Error at path '/': must be an object");
    if (ignoreUnknownProperties && !isRpc) return body as SentValues;
    for (const name of Object.keys(body)) {
      if (!Object.hasOwn(parameters, name)) throw unknownProperty(name, Object.keys(parameters));
    }
    return body as SentValues;
  }

  return {
    /**
     * The values by name. Unknown names are ignored in a query string and rejected in JSON-RPC `params`; most operations
     * also reject them in a JSON body.
     */
    open: ({ given, origin, isRpc }: SentParameters): SentValues =>
      origin === 'query' ? (given as SentValues) : openBody(given, isRpc),
    read(source: SentValues, origin: ParameterOrigin): Record<string, unknown> {
      const read: Record<string, unknown> = {};
      for (const [name, parameter] of entries) {
        const given = Object.hasOwn(source, name) ? source[name] : undefined;
        const isRepeated = origin === 'query' && Array.isArray(given);
        const values = given === undefined ? NO_VALUES : isRepeated ? given : [given];
        read[name] = parameter.read({ name, values, origin });
      }
      return read;
    },
  };
}

function unknownProperty(name: string, names: readonly string[]): Failure {
  const meant = closestName(name, names);
  const hint = meant === undefined ? '' : `; did you mean '${meant}'?`;
  return bodyRefusal(`Error at path '/': Unknown property '${name.slice(0, 64)}'${hint}`);
}

const MAX_ECHO_CHARS = 256;

/** Prefix of every parse error, by origin of the parameter. */
const PARSE_PREFIX: Readonly<Record<ParameterOrigin, string>> = {
  query: 'failed to parse get request: ',
  body: 'failed to parse post request: ',
};

/** A body that could not be parsed. */
export function bodyRefusal(detail: string): Failure {
  return new Failure('invalid', `${PARSE_PREFIX.body}${detail}`);
}

const VALIDATE_PREFIX = 'failed to validate request: ';

/** Parameters that were parsed but are invalid, alone or together. */
export function validateRefusal(detail: string): Failure {
  return new Failure('invalid', `${VALIDATE_PREFIX}${detail}`);
}

/** A parameter that could not be parsed; for a body the error has the path of the property. */
export function parseRefusal(input: ParameterInput, detail: string): Failure {
  const path = input.origin === 'body' ? `Error at path '${input.name}': ` : '';
  return new Failure('invalid', `${PARSE_PREFIX[input.origin]}${path}${detail}`, {
    details: { parameter: input.name },
  });
}

/** A required property that is missing in a body. */
export function missingRefusal(input: ParameterInput): Failure {
  return new Failure('invalid', `${PARSE_PREFIX[input.origin]}Field '${input.name}' is missing`, {
    details: { parameter: input.name },
  });
}

/** Input of the caller inside an error text, truncated. */
export function echo(text: string): string {
  return text.length <= MAX_ECHO_CHARS ? text : `${text.slice(0, MAX_ECHO_CHARS)}…`;
}

/**
 * The text of a required parameter: the first value counts. A missing query parameter is an empty string; a missing or
 * null property of a body is an error.
 */
export function requiredText(input: ParameterInput): string {
  const value = input.values[0];
  if (typeof value === 'string') return value;
  if (value !== undefined && value !== null) throw parseRefusal(input, 'must be a string');
  if (input.origin === 'body') throw missingRefusal(input);
  return '';
}

/** The first value of a parameter; undefined where it is missing, null or empty. */
export function givenValue({ values: [given] }: ParameterInput): unknown {
  return given === null || given === '' ? undefined : given;
}

/** Reverts form decoding of unescaped base64 in a query: `+` became a space. */
export function restorePlus(text: string): string {
  return text.includes(' ') ? text.replaceAll(' ', '+') : text;
}

export interface IntegerRule {
  /** 1 for a positive number, 0 for a non-negative one. */
  readonly minimum?: 0 | 1;
  readonly maximum?: number;
  /** Error text for a required parameter that is missing in a query string; a parse error by default. */
  readonly missing?: string;
}

const INT32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
/** The last double below the bound: the bound itself would be rounded up. */
const MAX_DOUBLE_INT64 = 2 ** 63 - 2 ** 10;
const DECIMAL = /^[+-]?[0-9]{1,20}$/;

export function requiredInt32(description: string, rule: IntegerRule): Parameter<number> {
  return { ...shapeOf32(description, rule, true), read: (input) => Number(readRequired(input, rule, INT32)) };
}

export function optionalInt32<F extends number | undefined = undefined>(
  description: string,
  rule: IntegerRule,
  fallback?: F,
): Parameter<number | F> {
  const shape = shapeOf32(description, rule, false);
  return {
    ...shape,
    schema: fallback === undefined ? shape.schema : { ...shape.schema, default: fallback },
    read: (input) => {
      const value = readInteger(input, rule, INT32);
      return value === undefined ? (fallback as F) : Number(value);
    },
  };
}

export function requiredInt64(description: string, rule: IntegerRule): Parameter<bigint> {
  return { ...shapeOf64(description, rule, true), read: (input) => readRequired(input, rule, INT64) };
}

export function optionalInt64(description: string, rule: IntegerRule = {}): Parameter<bigint | undefined> {
  return { ...shapeOf64(description, rule, false), read: (input) => readInteger(input, rule, INT64) };
}

/** JavaScript rounds large numbers, so they may be texts, as they are in responses. */
function shapeOf64(
  description: string,
  { minimum, maximum = MAX_DOUBLE_INT64 }: IntegerRule,
  required: boolean,
) {
  const type = ['integer', 'string'];
  const schema = Type.Unsafe<bigint>({
    minimum: minimum ?? Number(INT64.min),
    maximum,
    type,
    pattern: '^[+-]?[0-9]{1,20}$',
  });
  return { schema, description, required };
}

function shapeOf32(
  description: string,
  { minimum, maximum = Number(INT32.max) }: IntegerRule,
  required: boolean,
) {
  return { schema: Type.Integer({ minimum: minimum ?? Number(INT32.min), maximum }), description, required };
}

function readRequired(input: ParameterInput, rule: IntegerRule, size: typeof INT64): bigint {
  const value = readInteger(input, rule, size);
  if (value !== undefined) return value;
  if (input.origin === 'body') throw missingRefusal(input);
  throw parseRefusal(input, rule.missing ?? `failed to parse ${input.name}`);
}

function readInteger(input: ParameterInput, rule: IntegerRule, size: typeof INT64): bigint | undefined {
  const given = givenValue(input);
  if (given === undefined) return undefined;
  const value = toInteger(given);
  if (value === undefined || value < size.min || value > size.max)
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

/** An optional boolean: a JSON boolean, a number, or a word such as `yes` or `off`. */
export function flag(description: string): Parameter<boolean | undefined> {
  return {
    schema: Type.Boolean(),
    description,
    required: false,
    read: (input) => {
      const given = givenValue(input);
      if (given === undefined) return undefined;
      if (typeof given === 'boolean') return given;
      if (typeof given === 'bigint' || Number.isInteger(given)) return given !== 0;
      if (typeof given === 'string' && YES.test(given)) return true;
      if (typeof given === 'string' && NO.test(given)) return false;
      throw parseRefusal(input, `failed to parse ${input.name}`);
    },
  };
}

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

/** An optional 256-bit hash in any form; an empty string counts as absent. */
export function optionalHash(description: string): Parameter<Buffer | undefined> {
  return {
    ...hash(description),
    required: false,
    read: (input) => {
      const given = givenValue(input);
      if (given === undefined) return undefined;
      const parsed = typeof given === 'string' ? parseHash(restorePlus(given)) : undefined;
      if (parsed === undefined) throw parseRefusal(input, `failed to parse ${input.name}`);
      return parsed;
    },
  };
}

const BASE64 = Type.String({ pattern: '^[A-Za-z0-9+/_=\\s-]*$' });

/** Required bytes in base64; with `nonEmpty`, zero bytes are an error. */
export function bytes(description: string, { nonEmpty = false } = {}): Parameter<Buffer> {
  return {
    schema: BASE64,
    description,
    required: true,
    read: (input) => {
      const read = readBytes(input);
      if (read === undefined) throw missingRefusal(input);
      if (nonEmpty && read.length === 0) throw validateRefusal(`empty ${input.name}`);
      return read;
    },
  };
}

/** Optional bytes in base64; an empty string counts as absent. */
export function optionalBytes(description: string): Parameter<Buffer | undefined> {
  return {
    schema: BASE64,
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

export function address(
  description = 'Account address: raw, friendly (base64 or base64url), or 64 hex digits for the masterchain.',
): Parameter<ParsedAddress> {
  return {
    schema: Type.String({
      pattern: '^(-?[0-9]{1,10}:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{48}|[0-9a-fA-F]{64})$',
    }),
    description,
    required: true,
    read: (input) => {
      const text = requiredText(input);
      const parsed = parseAddress(restorePlus(text));
      if (parsed === undefined) throw parseRefusal(input, `Failed to parse ton_addr: '${echo(text)}'`);
      return parsed;
    },
  };
}

/** The 32 bytes of an optional account address, given as an address or as a hash in any form. */
export function accountHash(description: string): Parameter<Buffer | undefined> {
  return {
    schema: Type.String(),
    description,
    required: false,
    read: (input) => {
      const given = givenValue(input);
      if (given === undefined) return undefined;
      const text = typeof given === 'string' ? restorePlus(given) : '';
      const parsed = parseAddress(text)?.hash ?? parseHash(text);
      if (parsed === undefined) throw parseRefusal(input, `failed to parse ${input.name}`);
      return parsed;
    },
  };
}

/** Throws for an address whose workchain does not fit the friendly form. */
export function requireFriendlyForm(address: { readonly workchain: number }): void {
  if (hasFriendlyForm(address.workchain)) return;
  throw new Failure('invalid', 'workchain is out of range', { details: { parameter: 'address' } });
}

/** The masterchain block at which something is read; the newest one when left out. */
export function masterchainSeqno() {
  return optionalInt32('Seqno of the masterchain block to read from; the newest block when left out.', {
    minimum: 1,
  });
}

/** A required masterchain seqno; missing in a query string it counts as 0, by contract. */
export function requiredMasterchainSeqno(): Parameter<number> {
  const parameter = requiredInt32('Seqno of the masterchain block.', { minimum: 1 });
  return {
    ...parameter,
    read: (input) => {
      const isAbsent = input.values[0] === undefined || input.values[0] === '';
      if (isAbsent && input.origin === 'query') throw validateRefusal(`${input.name} should be positive`);
      return parameter.read(input);
    },
  };
}

export function workchain(rule: Pick<IntegerRule, 'missing'> = {}) {
  return requiredInt32('Workchain: -1 is the masterchain, 0 the basechain.', { ...rule });
}

/** Workchain, shard and seqno of a block; with `named`, the error for a missing query parameter says that it is required. */
export function blockKey({ named = false }: { readonly named?: boolean } = {}) {
  const rule = (name: string) => (named ? { missing: `${name} required` } : {});
  return {
    workchain: workchain(rule('workchain')),
    shard: shard(rule('shard')),
    seqno: requiredInt32('Seqno of the block in its shard.', { minimum: 1, ...rule('seqno') }),
  };
}

/** The hashes of a block. With both of them it is not looked up; a single one is ignored. */
export function blockHashes() {
  return {
    root_hash: optionalHash('Root hash of the block; only used together with file_hash.'),
    file_hash: optionalHash('File hash of the block; only used together with root_hash.'),
  };
}

const HEX = /^(?:0[xX][0-9a-fA-F]{1,16}|(?=.*[a-fA-F])[0-9a-fA-F]{16})$/;

/**
 * A required shard id. Clients send a signed decimal; an unsigned one and hex with a prefix (or 16 digits with at least
 * one letter) are accepted too.
 */
export function shard({ missing }: { missing?: string } = {}): Parameter<bigint> {
  return {
    schema: Type.String({ pattern: '^([+-]?[0-9]{1,20}|0[xX][0-9a-fA-F]{1,16}|[0-9a-fA-F]{16})$' }),
    description: 'Shard id as a signed decimal or in hex.',
    required: true,
    read: (input) => {
      const given = givenValue(input);
      if (given === undefined) {
        if (input.origin === 'body') throw missingRefusal(input);
        throw parseRefusal(input, missing ?? `failed to parse ${input.name}`);
      }
      return parseShard(given) ?? refuse(input);
    },
  };
}

function refuse(input: ParameterInput): never {
  throw parseRefusal(input, `failed to parse ${input.name}`);
}

function parseShard(given: unknown): bigint | undefined {
  if (typeof given === 'number' ? !Number.isSafeInteger(given) : typeof given === 'object') return undefined;
  const text = String(given);
  if (!DECIMAL.test(text) && !HEX.test(text)) return undefined;
  const value = DECIMAL.test(text) ? BigInt(text.replace('+', '')) : BigInt(`0x${text.replace(/^0x/i, '')}`);
  return value < -(2n ** 63n) || value >= 2n ** 64n ? undefined : BigInt.asIntN(64, value);
}
