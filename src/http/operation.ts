import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifySchemaCompiler,
  preHandlerHookHandler,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import { closestName } from '../lib/closest-name.ts';
import { Failure, type FailureKind } from '../lib/errors.ts';
import { quoted, wrongValue } from '../lib/wrong-value.ts';
import { type CommonErrors, describedAs, errorResponses } from './openapi.ts';

/** Where a parameter's values came from: the query string, or a JSON body (POST and JSON-RPC). */
export type ParameterOrigin = 'query' | 'body';

/** One use of a parameter: its name and all values given for it (none when it is absent). */
export interface ParameterInput {
  readonly name: string;
  readonly values: readonly unknown[];
  readonly origin: ParameterOrigin;
}

/**
 * A parameter kind: the schema that documents it, and the reader that turns what was sent into a value or throws a
 * `Failure` with the exact wording of the contract.
 */
export interface Parameter<T> {
  readonly schema: TSchema;
  readonly description: string;
  readonly required: boolean;
  readonly read: (input: ParameterInput) => T;
}

// biome-ignore lint/suspicious/noExplicitAny: a set holds parameters of every type
export type ParameterSet = Readonly<Record<string, Parameter<any>>>;

export type ParameterValues<P extends ParameterSet> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** An example call: tests run it on every transport, the docs page shows it. */
export type OperationExample<R> = {
  readonly title: string;
  readonly params: Readonly<Record<string, unknown>>;
} & (
  | { readonly result: R }
  | {
      /** The values differ between chains and blocks; only their shape is compared. */
      readonly varies: true;
      readonly result: unknown;
    }
  | {
      /** The expected error; its text may differ between a query and a body. */
      readonly failure: {
        readonly code: number;
        readonly text: string | Readonly<Record<ParameterOrigin, string>>;
      };
    }
);

/** An error worth documenting beside those that all operations share. */
export interface OperationError {
  readonly code: number;
  readonly when: string;
}

/** How long a result may be reused: not at all, until the next block, or for ever. */
export type CacheRule = 'none' | 'head' | 'immutable';

export interface OperationDefinition<Call, P extends ParameterSet, R extends TSchema> {
  /** Wire name; also the last part of the path and the metrics label. */
  readonly name: string;
  /** Older or alternative names that reach the same operation. */
  readonly aliases?: readonly string[];
  /** HTTP methods that the contract lists. */
  readonly methods: readonly ('GET' | 'POST')[];
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: P;
  /** Body properties that are not parameters are ignored instead of rejected. */
  readonly ignoreUnknownProperties?: boolean;
  /** Largest JSON body, or `params` of JSON-RPC; a few kB by default. */
  readonly maxBodyBytes?: number;
  /** Name of the schema of the JSON body in the document, if it is not that of the operation. */
  readonly requestName?: string;
  readonly result: R;
  readonly errors?: readonly OperationError[];
  readonly cache: CacheRule;
  /** Its results are made by the emulator, whose version a header of the response says. */
  readonly predicts?: boolean;
  readonly examples: readonly OperationExample<Static<R>>[];
  readonly handler: (params: ParameterValues<P>, call: Call) => Promise<Static<R>> | Static<R>;
}

/** An operation with erased parameter and result types, as lists hold them. */
export interface Operation<Call> extends Omit<OperationDefinition<Call, ParameterSet, TSchema>, 'examples'> {
  readonly examples: readonly OperationExample<unknown>[];
}

/**
 * Declares an operation of one interface. Routes, validation, serialisation, OpenAPI, docs, metric labels and the
 * contract test are all derived from it.
 */
export function defineOperation<Call, P extends ParameterSet, R extends TSchema>(
  definition: OperationDefinition<Call, P, R>,
): Operation<Call> {
  return definition as unknown as Operation<Call>;
}

/** `preHandler` hooks of an operation; `emulatorVersion` is the newest version of the TVM that the emulator knows. */
export function emulatorHooks(
  { predicts }: Pick<Operation<never>, 'predicts'>,
  emulatorVersion: number | undefined,
): preHandlerHookHandler[] {
  if (predicts !== true || emulatorVersion === undefined) return [];
  return [
    (_request, reply, done) => {
      reply.header('x-tongate-emulator-version', emulatorVersion);
      done();
    },
  ];
}

/** The schema of a JSON body with these parameters. */
export function bodySchema(
  operation: Pick<Operation<never>, 'parameters' | 'ignoreUnknownProperties'>,
): Record<string, unknown> {
  return {
    ...membersOf(operation.parameters, bodyMember),
    additionalProperties: operation.ignoreUnknownProperties === true,
  };
}

/** The schema of a query string with these parameters. */
export function querySchema(parameters: ParameterSet): Record<string, unknown> {
  return membersOf(parameters, ({ schema, description }) => ({ ...schema, description }));
}

function membersOf(
  parameters: ParameterSet,
  toMember: (parameter: Parameter<unknown>) => object,
): Record<string, unknown> {
  const entries = Object.entries(parameters);
  const required = entries.filter(([, parameter]) => parameter.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, parameter]) => [name, toMember(parameter)])),
    ...(required.length > 0 && { required }),
  };
}

function bodyMember({ schema, description }: Parameter<unknown>): object {
  // A schema with a title is shared, so the description must be outside it.
  if ('title' in schema) return { allOf: [schema], description };
  const { default: fallback, ...rest } = schema as TSchema & { readonly default?: unknown };
  if (fallback === undefined) return { ...schema, description };
  // Generators of types take a member with a default for one that is always present.
  return {
    ...rest,
    description: `${description} Default: \`${JSON.stringify(fallback)}\`.`,
    examples: [fallback],
  };
}

/**
 * The validator compiler of a route whose parameters are read by their own readers: the schema documents them, the
 * readers decide and have the wording of the contract. What they return takes the place of the query or the body.
 */
export function validateWith(
  part: 'querystring' | 'body',
  read: (sent: unknown) => unknown,
): FastifySchemaCompiler<unknown> {
  return ({ httpPart }) => (httpPart === part ? (sent) => readOrRefuse(read, sent) : () => true);
}

function readOrRefuse(read: (sent: unknown) => unknown, sent: unknown): object {
  try {
    return { value: read(sent) };
  } catch (error) {
    if (error instanceof Failure) return { error };
    throw error;
  }
}

type Json = Record<string, unknown>;

/** The common part of the routes of an interface. */
export interface InterfaceStyle {
  /** Wraps a result schema in the interface's envelope; `name` is a name for it. */
  readonly envelope: (result: TSchema, name: string) => object;
  /** Wraps an example result in the interface's envelope. */
  readonly exampleBody: (result: unknown) => unknown;
  readonly errors: CommonErrors;
  /** Headers that every operation takes. */
  readonly headers?: Readonly<Record<string, object>>;
  /** Query parameters that every operation takes, by POST too. */
  readonly query?: Readonly<Record<string, object>>;
  /** Examples of parameters that are not in the shown request, by `operation.parameter` or by the name of the parameter. */
  readonly parameterExamples: Readonly<Record<string, unknown>>;
}

/** Not by GET. */
const BODY_TOO_LARGE = 413;

/** Creates the function that writes the schemas of the routes of an operation: of one name and method. */
export function createRouteSchemas<Call>(
  operation: Operation<Call>,
  style: InterfaceStyle,
): (name: string, method: 'GET' | 'POST') => FastifySchema {
  const { tag, summary, description } = operation;
  const example = operation.examples.find(succeeds);
  const result = {
    ...style.envelope(operation.result, `${nameOf(operation)}Response`),
    ...(example !== undefined && { examples: [style.exampleBody(example.result)] }),
  };
  const all = { 200: describedAs('Success', result), ...errorResponses(style.errors, operation.errors) };
  const { [BODY_TOO_LARGE]: _, ...withoutBody } = all as Record<number | string, object>;
  const common = { ...(style.query !== undefined && { querystring: objectOf(style.query) }) };
  return (name, method) => ({
    operationId: `${oneWord(name)}_${method.toLowerCase()}`,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(name !== operation.name && { deprecated: true }),
    ...(style.headers !== undefined && { headers: objectOf(style.headers) }),
    ...(method === 'GET'
      ? { querystring: shownQuery(operation, style), response: withoutBody }
      : { ...common, body: shownBody(operation, style), response: all }),
  });
}

function objectOf(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties };
}

/** `nft/items` becomes `nftItems`: programs have functions of that name. */
function oneWord(name: string): string {
  return name.replace(/\/([a-z])/g, (_, first: string) => first.toUpperCase());
}

/** The name of an operation in names of schemas: `getShards` is `Shards`. */
function nameOf({ name }: Pick<Operation<never>, 'name'>): string {
  const subject = oneWord(name).replace(/^get(?=[A-Z])/, '');
  return subject.charAt(0).toUpperCase() + subject.slice(1);
}

/** The examples of its parameters are the shown request; other parameters have examples of what they may be. */
function shownQuery<Call>(operation: Operation<Call>, style: InterfaceStyle): object {
  const shown = operation.examples.find(succeeds)?.params ?? {};
  const { properties, ...schema } = querySchema(operation.parameters);
  const members = Object.entries(properties as Record<string, Json>).map(([name, member]) => [
    name,
    name in shown
      ? { ...member, ...(shown[name] !== undefined && { example: shown[name] }) }
      : withExample(member, exampleOf(operation, name, style)),
  ]);
  return { ...schema, properties: { ...Object.fromEntries(members), ...style.query } };
}

function shownBody<Call>(operation: Operation<Call>, style: InterfaceStyle): object {
  const { properties, ...schema } = bodySchema(operation);
  const memberSchemas = properties as Record<string, Json>;
  const example = exampleBody(operation.examples.find(succeeds)?.params, memberSchemas);
  const members = Object.entries(memberSchemas).map(([name, member]) => [
    name,
    withExample(member, example?.[name] ?? exampleOf(operation, name, style)),
  ]);
  return {
    ...schema,
    properties: Object.fromEntries(members),
    title: operation.requestName ?? `${nameOf(operation)}Request`,
    ...(example !== undefined && { examples: [example] }),
  };
}

function exampleBody(
  params: Readonly<Record<string, unknown>> | undefined,
  schemas: Readonly<Record<string, Json>>,
): Json | undefined {
  if (params === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const isSingle = schemas[name]?.type === 'array' && !Array.isArray(value);
      return [name, isSingle ? [value] : value];
    }),
  );
}

function exampleOf(
  operation: Pick<Operation<never>, 'name'>,
  name: string,
  { parameterExamples }: InterfaceStyle,
): unknown {
  return parameterExamples[`${operation.name}.${name}`] ?? parameterExamples[name];
}

/** Adds an example to a schema that has no default. */
function withExample(schema: Json, example: unknown): Json {
  if ('default' in schema || 'examples' in schema || example === undefined) return schema;
  const isList = schema.type === 'array' && !Array.isArray(example);
  return { ...schema, examples: [isList ? [example] : example] };
}

function succeeds(
  example: OperationExample<unknown>,
): example is OperationExample<unknown> & { result: unknown } {
  return 'result' in example;
}

/** The header that lists names which an operation does not know. */
export const UNKNOWN_PARAMS = 'x-tongate-unknown-params';

/** The error for a name that does not exist, with the one that was probably meant; `text` says what it is a name of. */
export function unknownName(
  parameter: string,
  text: string,
  name: string,
  known: Iterable<string>,
  kind: FailureKind = 'invalid',
): Failure {
  const meant = closestName(name, known);
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return new Failure(kind, `${text} ${quoted(name)}${hint}`, { details: { parameter } });
}

/** The names that are not known; undefined if all are, which costs no allocation. */
export function unknownNames(names: Iterable<string>, known: ReadonlySet<string>): string[] | undefined {
  let unknown: string[] | undefined;
  for (const name of names) {
    if (known.has(name)) continue;
    if (unknown === undefined) unknown = [name];
    else unknown.push(name);
  }
  return unknown;
}

const MAX_LISTED = 10;
const MAX_NAME_CHARS = 64;

/** Unknown names as the value of the header. */
export function listUnknownNames(names: readonly string[]): string {
  const shown = names
    .slice(0, MAX_LISTED)
    .map((name) => encodeURIComponent(name.toWellFormed()).slice(0, MAX_NAME_CHARS));
  return names.length > MAX_LISTED ? `${shown.join(', ')}, ...` : shown.join(', ');
}

const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** Reads a switch of a request, such as `X-Strict-Params`; undefined for any other word. */
export function parseSwitch(text: string): boolean | undefined {
  if (TRUE_WORDS.has(text)) return true;
  return FALSE_WORDS.has(text) ? false : undefined;
}

const STRICT = { header: 'x-strict-params', query: 'x_strict_params' };
/** Query parameters that every route takes. */
const COMMON_NAMES = ['api_key', STRICT.query];
const RPC_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

type NameCheck = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * Creates the hook of a v2 route that looks for names which its operation does not know. Where the contract ignores them, the response
 * lists them in a header, or a strict caller gets an error. Bodies and `params` in which the contract rejects them are
 * not looked at.
 */
export function createNameCheck(
  operation: Pick<Operation<never>, 'parameters' | 'ignoreUnknownProperties'>,
  isStrict: boolean,
): NameCheck {
  const known = new Set([...Object.keys(operation.parameters), ...COMMON_NAMES]);
  const isBodyLoose = operation.ignoreUnknownProperties === true;
  return ({ method, query, body, headers }, reply, done) => {
    let unknown = unknownIn(query, known);
    if (isBodyLoose && method === 'POST') unknown = joined(unknown, unknownIn(body, known));
    done(report(unknown, known, { query, headers }, reply, isStrict));
  };
}

/** The same for JSON-RPC: the query, and the members of calls beside `params`. */
export function createRpcNameCheck(isStrict: boolean): NameCheck {
  const known = new Set([...RPC_MEMBERS, ...COMMON_NAMES]);
  const inQuery = new Set(COMMON_NAMES);
  return ({ query, body, headers }, reply, done) => {
    let unknown = unknownIn(query, inQuery);
    for (const call of Array.isArray(body) ? body : [body])
      unknown = joined(unknown, unknownIn(call, RPC_MEMBERS));
    done(report(unknown, known, { query, headers }, reply, isStrict));
  };
}

function unknownIn(members: unknown, known: ReadonlySet<string>): string[] | undefined {
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return undefined;
  return unknownNames(Object.keys(members), known);
}

function joined(names: string[] | undefined, more: string[] | undefined): string[] | undefined {
  return names === undefined || more === undefined ? (names ?? more) : [...names, ...more];
}

/** Lists unknown names in the header, or returns the error for a strict caller. */
function report(
  unknown: readonly string[] | undefined,
  known: ReadonlySet<string>,
  { query, headers }: Pick<FastifyRequest, 'query' | 'headers'>,
  reply: FastifyReply,
  isStrict: boolean,
): Error | undefined {
  const wish = headers[STRICT.header] ?? (query as Record<string, unknown>)[STRICT.query];
  const isWished = wish === undefined || wish === '' ? false : parseSwitch(String(wish));
  if (isWished === undefined)
    return new Failure('invalid', wrongValue('X-Strict-Params', 'true or false', wish), {
      details: { parameter: 'X-Strict-Params' },
    });
  if (unknown === undefined) return undefined;
  if (isStrict || isWished) return unknownName(unknown[0]!, 'unknown parameter', unknown[0]!, known);
  reply.header(UNKNOWN_PARAMS, listUnknownNames([...new Set(unknown)]));
  return undefined;
}
