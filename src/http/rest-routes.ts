import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import { Failure } from '../lib/errors.ts';
import { wrongValue } from '../lib/wrong-value.ts';
import { addRouteErrors, startErrorReply } from './errors.ts';
import { describedAs, errorResponses, sharedErrors } from './openapi.ts';
import {
  bodySchema,
  type OperationError,
  type Parameter,
  type ParameterOrigin,
  type ParameterSet,
  type ParameterValues,
  querySchema,
  unknownName,
} from './operation.ts';
import { USUAL_BODY_BYTES } from './request.ts';

/** One call of a route. */
export interface RestCall<P extends ParameterSet = ParameterSet> {
  readonly values: ParameterValues<P>;
  /** Values of the named parts of the path. */
  readonly path: Readonly<Record<string, string>>;
  /** Id of the API key of the caller; null for an anonymous one. */
  readonly keyId: string | null;
}

interface RestDefinition<Ports, P extends ParameterSet, R extends TSchema> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the prefix of the interface; parts that begin with a colon are names of values. */
  readonly path: string;
  /** Metrics label, and the name of the operation in the document. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /** In the query of a GET, else in the body. */
  readonly parameters?: P;
  /** Undefined for a response without a body. */
  readonly result: R | undefined;
  /** Of a success; 200, or 204 without a body. */
  readonly status?: number;
  readonly errors?: readonly OperationError[];
  readonly handler: (call: RestCall<P>, ports: Ports) => Promise<Static<R>> | Static<R>;
}

interface RouteFamily {
  readonly tag: string;
  readonly ignoreUnknownProperties?: boolean;
}

/** A route of an interface whose paths have values, with erased types. */
export interface RestRoute<Ports>
  extends RouteFamily,
    Omit<RestDefinition<Ports, ParameterSet, TSchema>, 'handler' | 'result'> {
  readonly parameters: ParameterSet;
  readonly result: TSchema | undefined;
  readonly handler: (call: RestCall, ports: Ports) => unknown;
}

/**
 * Creates the function that declares the routes of a family: a route and its part of the OpenAPI document are derived from
 * what it is given.
 */
export function createRouteDefiner<Ports>(family: RouteFamily) {
  return <R extends TSchema, P extends ParameterSet = Record<never, never>>(
    definition: RestDefinition<Ports, P, R>,
  ): RestRoute<Ports> => ({ parameters: {}, ...family, ...definition }) as unknown as RestRoute<Ports>;
}

interface RestOptions<Ports> {
  readonly routes: readonly RestRoute<Ports>[];
  readonly ports: Ports;
  readonly config: FastifyContextConfig;
  /** Of JSON bodies. */
  readonly bodyLimit?: number;
}

const NO_CONTENT = 204;

/** Adds the routes; errors have a `code` and an `error`. */
export function addRestRoutes<Ports>(app: FastifyInstance, options: RestOptions<Ports>): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, text } = startErrorReply(error, request, reply);
    return { code: status, error: text };
  });
  addRouteErrors(app, () => 'Method Not Allowed');
  for (const route of options.routes) {
    const { method, path, operation, result } = route;
    app.route({
      method,
      url: path,
      config: { ...options.config, operation },
      bodyLimit: options.bodyLimit ?? USUAL_BODY_BYTES,
      schema: schemaOf(route),
      // The handler reads them, also where a request has no body at all.
      validatorCompiler: () => () => true,
      handler: async (request, reply) => {
        const isGet = method === 'GET';
        const sent = isGet ? (request.query as Record<string, unknown>) : objectIn(request.body);
        const call: RestCall = {
          values: readValues(route, sent, isGet ? 'query' : 'body'),
          path: request.params as Record<string, string>,
          keyId: request.keyId,
        };
        const body = await route.handler(call, options.ports);
        return result === undefined
          ? reply.code(NO_CONTENT).send()
          : reply.code(route.status ?? 200).send(body);
      },
    });
  }
}

/** The object in a body; an empty one if there is no body. */
export function objectIn(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Failure('bad_request', wrongValue('the body', 'a JSON object', body));
  return body as Record<string, unknown>;
}

/** Where a key may be, beside the parameters. */
const KEY_PARAMETER = 'api_key';

/** Reads the parameters of a route; one that it does not know is an error. */
export function readValues(
  { parameters, ignoreUnknownProperties }: Pick<RestRoute<never>, 'parameters' | 'ignoreUnknownProperties'>,
  sent: Record<string, unknown>,
  origin: ParameterOrigin,
): ParameterValues<ParameterSet> {
  const known = Object.keys(parameters);
  const unknown = Object.keys(sent).find((name) => !known.includes(name) && name !== KEY_PARAMETER);
  if (unknown !== undefined && ignoreUnknownProperties !== true)
    throw unknownName(unknown, 'unknown parameter', unknown, known);
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => {
      const value = sent[name];
      const values = value === undefined || value === null ? [] : [value];
      return [name, parameter.read({ name, values, origin })];
    }),
  );
}

const errorSchema = Type.Object({ code: Type.Integer(), error: Type.String() }, { title: 'Error' });
/** Of all routes. */
export const restErrors = { schema: errorSchema, texts: sharedErrors };

const ID = Type.String({ description: 'Id, a decimal number as text.' });

function schemaOf(route: RestRoute<never>): FastifySchema {
  const { tag, operation, summary, description, method, parameters, path, result, status } = route;
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name]) => [name!, ID] as const);
  const hasParameters = Object.keys(parameters).length > 0;
  return {
    operationId: operation,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(ids.length > 0 && { params: Type.Object(Object.fromEntries(ids)) }),
    ...(method === 'GET' && { querystring: querySchema(parameters) }),
    ...(method === 'POST' &&
      hasParameters && { body: { ...bodySchema(route), title: `${titleOf(operation)}Request` } }),
    response: {
      ...(result === undefined
        ? { [NO_CONTENT]: describedAs('Success', Type.Null()) }
        : { [status ?? 200]: describedAs('Success', result) }),
      ...errorResponses(restErrors, route.errors),
    },
  };
}

function titleOf(operation: string): string {
  return operation.charAt(0).toUpperCase() + operation.slice(1);
}

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
