import type { IncomingHttpHeaders } from 'node:http';
import { timeoutFailure } from '../db/errors.ts';
import type { Operation, ParameterOrigin } from '../http/operation.ts';
import { parseSwitch, unknownName, unknownNames } from '../http/unknown-names.ts';
import { Failure } from '../lib/errors.ts';
import { wrongValue } from '../lib/wrong-value.ts';
import { MAX_INT32, MIN_INT32, parseDecimal } from './parameter-kinds.ts';
import { invalidParameter, joinFailures } from './parameters.ts';

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

/** Reads the parameters of an operation; unknown names are ignored, the error says how many others there are. */
export function readParams(
  operation: Pick<Operation<never>, 'parameters'>,
  { origin, values }: RequestValues,
): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  const failures: Failure[] = [];
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    try {
      params[name] = parameter.read({ name, values: values.get(name.toLowerCase()) ?? NO_VALUES, origin });
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
  /** Every `address_book` of the response stays empty. */
  readonly noAddressBook: boolean;
  /** Every `metadata` of the response stays empty. */
  readonly noMetadata: boolean;
  /** The log shows this request's database statements. */
  readonly debug: boolean;
  /** Unknown parameters are refused. */
  readonly isStrict: boolean;
  /** The masterchain seqno that the index must have reached. */
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
    timeoutMs: readTimeout(pick('X-Timeout', 'x_timeout')?.text),
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

/** An unreadable timeout is ignored, as the contract says; one that is over fails the request at once. */
function readTimeout(text: string | undefined): number {
  const ms = text === undefined ? undefined : parseDecimal(text, MIN_INT32, MAX_INT32);
  if (ms === undefined) return MAX_TIMEOUT_MS;
  if (ms <= 0n) throw timeoutFailure();
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
