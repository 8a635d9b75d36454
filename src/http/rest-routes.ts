import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import { Failure } from '../lib/errors.ts';
import { wrongValue } from '../lib/wrong-value.ts';
import { addRouteErrors, startErrorReply } from './errors.ts';
import { sharedErrors, toOpenApi } from './openapi.ts';
import { bodySchema, type OperationError, type ParameterSet, type ParameterValues } from './operation.ts';
import { unknownName } from './unknown-names.ts';

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
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** In the query of a GET, else in the body. */
  readonly parameters: P;
  readonly ignoreUnknownProperties?: boolean;
  /** Undefined for a response without a body. */
  readonly result: R | undefined;
  /** Of a success; 200, or 204 without a body. */
  readonly status?: number;
  readonly errors?: readonly OperationError[];
  readonly handler: (call: RestCall<P>, ports: Ports) => Promise<Static<R>> | Static<R>;
}

/** A route of an interface whose paths have values, with erased types. */
export interface RestRoute<Ports>
  extends Omit<RestDefinition<Ports, ParameterSet, TSchema>, 'handler' | 'result'> {
  readonly result: TSchema | undefined;
  readonly handler: (call: RestCall, ports: Ports) => unknown;
}

/** Declares a route: the route itself and its part of the OpenAPI document are derived from it. */
export function defineRoute<Ports, P extends ParameterSet, R extends TSchema>(
  definition: RestDefinition<Ports, P, R>,
): RestRoute<Ports> {
  return definition as unknown as RestRoute<Ports>;
}

interface RestOptions<Ports> {
  readonly routes: readonly RestRoute<Ports>[];
  readonly ports: Ports;
  readonly config: FastifyContextConfig;
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
      handler: async (request, reply) => {
        const sent = method === 'GET' ? (request.query as Record<string, unknown>) : bodyOf(request);
        const call: RestCall = {
          values: readValues(route, sent),
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

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Failure('bad_request', wrongValue('the body', 'a JSON object', body));
  return body as Record<string, unknown>;
}

/** Where a key may be, beside the parameters. */
const KEY_PARAMETER = 'api_key';

function readValues(
  { parameters, method, ignoreUnknownProperties }: RestRoute<never>,
  sent: Record<string, unknown>,
): ParameterValues<ParameterSet> {
  const known = Object.keys(parameters);
  const unknown = Object.keys(sent).find((name) => !known.includes(name) && name !== KEY_PARAMETER);
  if (unknown !== undefined && ignoreUnknownProperties !== true)
    throw unknownName(unknown, 'unknown parameter', unknown, known);
  const origin = method === 'GET' ? 'query' : 'body';
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => {
      const value = sent[name];
      const values = value === undefined || value === null ? [] : [value];
      return [name, parameter.read({ name, values, origin })];
    }),
  );
}

/** A part of a document: the routes below one prefix. */
export interface RestGroup {
  readonly prefix: string;
  // biome-ignore lint/suspicious/noExplicitAny: a document does not care what a call needs
  readonly routes: readonly RestRoute<any>[];
}

interface RestDocumentOptions {
  readonly title: string;
  readonly description: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly groups: readonly RestGroup[];
  /** Security schemes, one of which is needed; API keys by default. */
  readonly securitySchemes?: Readonly<Record<string, object>>;
}

const errorSchema = Type.Object({ code: Type.Integer(), error: Type.String() }, { title: 'Error' });

/** Writes the OpenAPI document of interfaces with such routes. */
export function restDocument(options: RestDocumentOptions): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { prefix, routes } of options.groups)
    for (const route of routes) {
      const path = `${prefix}${route.path === '/' ? '' : route.path}`.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
    }
  return toOpenApi({
    title: options.title,
    version: '1.0.0',
    description: options.description,
    prefix: '',
    operations: [],
    envelope: (result) => result,
    exampleBody: (result) => result,
    errorSchema,
    commonErrors: sharedErrors,
    tags: options.tags,
    parameterExamples: {},
    extraPaths: paths,
    securitySchemes: options.securitySchemes,
  });
}

function operationOf(route: RestRoute<never>): Record<string, unknown> {
  const { tag, operation, summary, description, method, parameters, path, result, status } = route;
  const pathParameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: 'Id, a decimal number as text.',
    schema: { type: 'string' },
  }));
  const queryParameters = Object.entries(method === 'GET' ? parameters : {}).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: parameter.required,
    description: parameter.description,
    schema: parameter.schema,
  }));
  const hasBody = method === 'POST' && Object.keys(parameters).length > 0;
  const isRequired = Object.values(parameters).some(({ required }) => required);
  const all = [...pathParameters, ...queryParameters];
  return {
    operationId: operation,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(all.length > 0 && { parameters: all }),
    ...(hasBody && {
      requestBody: {
        required: isRequired,
        content: {
          'application/json': { schema: { ...bodySchema(route), title: `${titleOf(operation)}Request` } },
        },
      },
    }),
    responses: {
      ...(result === undefined
        ? { [NO_CONTENT]: { description: 'Success' } }
        : {
            [status ?? 200]: {
              description: 'Success',
              content: { 'application/json': { schema: result } },
            },
          }),
      ...Object.fromEntries(
        Object.keys(sharedErrors).map((code) => [code, { $ref: `#/components/responses/Error${code}` }]),
      ),
      ...Object.fromEntries(
        (route.errors ?? []).map(({ code, when }) => [
          code,
          { description: when, content: { 'application/json': { schema: errorSchema } } },
        ]),
      ),
    },
  };
}

function titleOf(operation: string): string {
  return operation.charAt(0).toUpperCase() + operation.slice(1);
}
