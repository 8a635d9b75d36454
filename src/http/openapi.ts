import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifySchema } from 'fastify';
import { type ExampleValues, FIXED_VALUES, fillExamples } from './example-values.ts';
import { createSchemaNames, type SchemaNames } from './named-schemas.ts';

type Json = Record<string, unknown>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The URL that the document shows for the route, if it is not that of the route. */
    documentedUrl?: string;
  }
}

/** Errors that all operations of both interfaces share. */
export const sharedErrors = {
  400: 'The URL or the request cannot be read',
  401: 'API key does not exist',
  403: 'Network not allowed',
  405: 'The path has no such method; see Allow',
  413: 'The body is larger than the text says',
  414: 'The URL is longer than the text says',
  422: 'A parameter is missing or malformed; the text names it',
  429: 'Ratelimit exceeded; see Retry-After',
  431: 'The headers are larger than the text says',
  500: 'Unexpected error',
  503: 'Overloaded, or a part the operation needs is not available; see Retry-After',
};

/** The schemes of API keys. */
export const securitySchemes = {
  APIKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  APIKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
};

/** The header that makes an interface refuse unknown parameters. */
export const strictHeader = {
  'X-Strict-Params': {
    type: 'boolean',
    default: false,
    description:
      'Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`.',
  },
};

/** Errors that all routes of a document share. */
export interface CommonErrors {
  /** Of the body. */
  readonly schema: object;
  /** When it is sent, by status. */
  readonly texts: Readonly<Record<number, string>>;
}

/** Options of a document beside the schemas of the routes. */
export interface DocumentOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Descriptions of all tags, in the order of the docs page. Routes without a tag are not in the document. */
  readonly tags: Readonly<Record<string, string>>;
  readonly errors: CommonErrors;
  /** Other ways to prove who calls, one of which is needed; by default API keys, which may be left out. */
  readonly securitySchemes?: Readonly<Record<string, object>> | undefined;
}

/** The member of a response schema that @fastify/swagger takes for the description of the response. */
const RESPONSE_TEXT = 'x-response-description';
/** Examples of a parameter beside the shown request: the package takes `examples` for the shown one. */
const FURTHER_EXAMPLES = 'x-further-examples';

/** The response schemas of the errors that all routes share, with those of one route. */
export function errorResponses(
  { schema, texts }: CommonErrors,
  own: readonly { readonly code: number; readonly when: string }[] = [],
): Record<string, object> {
  const when: Record<string, string> = {
    ...texts,
    ...Object.fromEntries(own.map((error) => [error.code, error.when])),
  };
  return {
    ...Object.fromEntries(Object.entries(when).map(([code, text]) => [code, describedAs(text, schema)])),
    '4xx': schema,
    '5xx': schema,
  };
}

/** A schema of a response with the description of the response. */
export function describedAs<T extends object>(text: string, schema: T): T {
  return { ...schema, [RESPONSE_TEXT]: text };
}

/**
 * Lets @fastify/swagger make the OpenAPI 3.1 document of the routes that are added after it, which `app.swagger()` returns.
 * Schemas with a title become named schemas, and errors that all routes share become shared responses.
 */
export async function addDocument(
  app: FastifyInstance,
  options: DocumentOptions,
  values: ExampleValues = FIXED_VALUES,
): Promise<void> {
  const { title, version, description, tags, errors } = options;
  const names = createSchemaNames();
  const responses = Object.fromEntries(
    Object.entries(errors.texts).map(([code, when]) => [
      `Error${code}`,
      { description: when, content: { 'application/json': { schema: errors.schema } } },
    ]),
  );
  await app.register(swagger, {
    hideUntagged: true,
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } as never },
      servers: [{ url: '/' }],
      security: securityOf(options),
      tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
      components: { securitySchemes: (options.securitySchemes ?? securitySchemes) as never },
    },
    transform: ({ schema, url, route }) => ({
      schema: shownSchema(schema as FastifySchema, names),
      url: route.config?.documentedUrl ?? url,
    }),
    transformObject: (object) => {
      const { paths, components, ...document } = (object as unknown as { openapiObject: Json }).openapiObject;
      const parts = names.extract({ paths: finishPaths(paths as Paths, errors), responses });
      const whole = {
        ...document,
        paths: parts.paths,
        components: { ...(components as Json), schemas: names.schemas(), responses: parts.responses },
      };
      return JSON.parse(fillExamples(JSON.stringify(whole), values));
    },
  });
}

/** Interfaces by prefix. */
export type Plugins = Readonly<Record<string, FastifyPluginAsync>>;

/** The document of routes that are added and never called. */
export async function documentOf(options: DocumentOptions, plugins: Plugins): Promise<Json> {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await addDocument(app, options);
  for (const [prefix, plugin] of Object.entries(plugins)) await app.register(plugin, { prefix });
  await app.ready();
  const document = app.swagger() as unknown as Json;
  await app.close();
  return document;
}

function securityOf({ securitySchemes: own }: DocumentOptions): { [name: string]: string[] }[] {
  if (own !== undefined) return Object.keys(own).map((name) => ({ [name]: [] }));
  return [{}, { APIKeyHeader: [] }, { APIKeyQuery: [] }];
}

/** The schema of a route as @fastify/swagger gets it. */
function shownSchema(schema: FastifySchema, { inside }: SchemaNames): FastifySchema {
  const { querystring, headers, body, response, ...rest } = schema as Record<string, object | undefined>;
  const statuses = Object.entries(response ?? {}).filter(([status]) => /^\d+$/.test(status));
  return {
    ...rest,
    ...(querystring !== undefined && { querystring: shownParameters(inside(querystring)) }),
    ...(headers !== undefined && { headers: shownParameters(inside(headers)) }),
    ...(body !== undefined && { body: inside(body) }),
    response: Object.fromEntries(statuses.map(([status, one]) => [status, inside(one as object)])),
  };
}

/** A docs page fills in the example of a parameter, but not the examples of its schema. */
function shownParameters(schema: object): object {
  const { properties = {} } = schema as { readonly properties?: Record<string, Json> };
  const shown = Object.entries(properties).map(([name, { example, examples, ...member }]) => [
    name,
    {
      ...member,
      ...(example !== undefined && { examples: [example] }),
      ...(examples !== undefined && { [FURTHER_EXAMPLES]: examples }),
    },
  ]);
  return { ...schema, properties: Object.fromEntries(shown) };
}

interface PathOperation extends Json {
  readonly parameters?: readonly { readonly schema: Json }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<Record<string, Json>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, PathOperation>>>>;

/** The rest of what a document says and @fastify/swagger has no setting for. */
function finishPaths(paths: Paths, errors: CommonErrors): Json {
  return mapValues(paths, (item) =>
    mapValues(item, ({ parameters, requestBody, responses, ...operation }) => ({
      ...operation,
      ...(parameters !== undefined && { parameters: parameters.map(withFurtherExamples) }),
      ...(requestBody !== undefined && { requestBody: { ...requestBody, required: isNeeded(requestBody) } }),
      responses: Object.fromEntries(
        Object.entries(responses).map(([code, response]) => [
          code,
          response.description === errors.texts[Number(code)]
            ? { $ref: `#/components/responses/Error${code}` }
            : response,
        ]),
      ),
    })),
  );
}

function withFurtherExamples<T extends { readonly schema: Json }>(parameter: T): T {
  const { [FURTHER_EXAMPLES]: examples, ...schema } = parameter.schema;
  return examples === undefined ? parameter : { ...parameter, schema: { ...schema, examples } };
}

/** A body of members that may all be left out may be left out too. */
function isNeeded({ content }: NonNullable<PathOperation['requestBody']>): boolean {
  return Object.values(content).some(
    ({ schema }) => schema.type !== 'object' || schema.required !== undefined,
  );
}

function mapValues<T>(source: Readonly<Record<string, T>>, map: (value: T) => unknown): Json {
  return Object.fromEntries(Object.entries(source).map(([key, value]) => [key, map(value)]));
}
