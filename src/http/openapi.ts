import type { TSchema } from 'typebox';
import { type ExampleValues, FIXED_VALUES, fillExamples } from './example-values.ts';
import { extractSchemas } from './named-schemas.ts';
import { bodySchema, type Operation, type OperationExample } from './operation.ts';

type Json = Record<string, unknown>;

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

/** Not by GET. */
const BODY_TOO_LARGE = 413;

/** The schemes of API keys. */
export const securitySchemes = {
  APIKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  APIKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
};

/** The header that makes an interface refuse unknown parameters. */
export const strictParameter = {
  name: 'X-Strict-Params',
  in: 'header',
  required: false,
  description:
    'Refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. Twin: `x_strict_params`.',
  schema: { type: 'boolean', default: false },
};

/** What a document needs beside the operations. */
export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly prefix: string;
  /** Descriptions of all tags, in the order of the docs page. */
  readonly tags: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a document does not care what a call looks like
  readonly operations: readonly Operation<any>[];
  /** Wraps a result schema in the interface's envelope; `name` is a name for it. */
  readonly envelope: (result: TSchema, name: string) => object;
  /** Wraps an example result in the interface's envelope. */
  readonly exampleBody: (result: unknown) => unknown;
  readonly errorSchema: object;
  /** Errors that all operations share. */
  readonly commonErrors: Readonly<Record<number, string>>;
  /** Further paths that are not operations. */
  readonly extraPaths?: Json;
  /** Parameters that every operation takes, such as headers. */
  readonly commonParameters?: readonly Json[];
  /** Examples of parameters that are not in the shown request, by `operation.parameter` or by the name of the parameter. */
  readonly parameterExamples: Readonly<Record<string, unknown>>;
  /** Other ways to prove who calls, one of which is needed; by default API keys, which may be left out. */
  readonly securitySchemes?: Readonly<Record<string, object>> | undefined;
  /** True if API keys are not checked. */
  readonly isPublic?: boolean;
  /** Values of the examples; fixed ones by default. */
  readonly values?: ExampleValues | undefined;
}

/**
 * Writes the OpenAPI 3.1 document of an interface from its operations alone. Schemas with a title become named schemas.
 */
export function toOpenApi(options: OpenApiOptions): Json {
  const paths: Json = {};
  for (const operation of options.operations) {
    for (const name of [operation.name, ...(operation.aliases ?? [])]) {
      paths[`${options.prefix}/${name}`] = pathItem(operation, name, options);
    }
  }
  const { part, schemas } = extractSchemas({
    paths: { ...paths, ...options.extraPaths },
    responses: errorResponses(options),
  });
  const document = {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: securityOf(options),
    tags: Object.entries(options.tags).map(([name, description]) => ({ name, description })),
    paths: part.paths,
    components: {
      schemas,
      responses: part.responses,
      ...(!options.isPublic && { securitySchemes: options.securitySchemes ?? securitySchemes }),
    },
  };
  return JSON.parse(fillExamples(JSON.stringify(document), options.values ?? FIXED_VALUES));
}

function securityOf({ isPublic, securitySchemes: own }: OpenApiOptions): Json[] {
  if (isPublic) return [];
  if (own !== undefined) return Object.keys(own).map((name) => ({ [name]: [] }));
  return [{}, { APIKeyHeader: [] }, { APIKeyQuery: [] }];
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function pathItem(operation: Operation<any>, name: string, options: OpenApiOptions): Json {
  const item: Json = {};
  const base = {
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(name === operation.name ? {} : { deprecated: true }),
  };
  const all = responses(operation, options);
  const { [BODY_TOO_LARGE]: _, ...withoutBody } = all;
  if (operation.methods.includes('GET')) {
    item.get = {
      operationId: operationId(name, 'get'),
      ...base,
      parameters: [...queryParameters(operation, options), ...(options.commonParameters ?? [])],
      responses: withoutBody,
    };
  }
  if (operation.methods.includes('POST')) {
    item.post = {
      operationId: operationId(name, 'post'),
      ...base,
      ...(options.commonParameters !== undefined && { parameters: options.commonParameters }),
      requestBody: requestBody(operation, options),
      responses: all,
    };
  }
  return item;
}

/** `nft/items` becomes `nftItems_get`: programs have functions of that name. */
function operationId(name: string, method: string): string {
  return `${oneWord(name)}_${method}`;
}

function oneWord(name: string): string {
  return name.replace(/\/([a-z])/g, (_, first: string) => first.toUpperCase());
}

/**
 * A docs page fills in `example` and `default`, so together they are the shown request. What other values look like is in
 * `examples` of the schema, which it does not fill in.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
function queryParameters(operation: Operation<any>, options: OpenApiOptions): Json[] {
  const shown = operation.examples.find(succeeds)?.params ?? {};
  return Object.entries(operation.parameters).map(([name, { schema, description, required }]) => ({
    name,
    in: 'query',
    required,
    description,
    schema: name in shown ? schema : withExample({ ...schema }, exampleOf(operation, name, options)),
    ...(shown[name] === undefined ? {} : { example: shown[name] }),
  }));
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function requestBody(operation: Operation<any>, options: OpenApiOptions): Json {
  const { properties, ...schema } = bodySchema(operation);
  const memberSchemas = properties as Record<string, Json>;
  const example = exampleBody(operation.examples.find(succeeds)?.params, memberSchemas);
  const members = Object.entries(memberSchemas).map(([name, member]) => [
    name,
    withExample(member, example?.[name] ?? exampleOf(operation, name, options)),
  ]);
  return {
    required: Object.values(operation.parameters).some(({ required }) => required),
    content: {
      'application/json': {
        schema: {
          ...schema,
          properties: Object.fromEntries(members),
          title: operation.requestName ?? `${nameOf(operation)}Request`,
        },
        ...(example === undefined ? {} : { example }),
      },
    },
  };
}

/** The parameters of an example as a body; a list of one is a single value in examples. */
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
  { parameterExamples }: OpenApiOptions,
): unknown {
  return parameterExamples[`${operation.name}.${name}`] ?? parameterExamples[name];
}

/** Adds an example to a schema that has no default. */
function withExample(schema: Json, example: unknown): Json {
  if ('default' in schema || 'examples' in schema || example === undefined) return schema;
  const isList = schema.type === 'array' && !Array.isArray(example);
  return { ...schema, examples: [isList ? [example] : example] };
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function responses(operation: Operation<any>, options: OpenApiOptions): Json {
  const example = operation.examples.find(succeeds);
  const content = {
    schema: options.envelope(operation.result, `${nameOf(operation)}Response`),
    ...(example === undefined ? {} : { example: options.exampleBody(example.result) }),
  };
  const all: Json = { 200: { description: 'Success', content: { 'application/json': content } } };
  for (const { code, when } of operation.errors ?? []) all[code] = errorResponse(when, options);
  for (const code of Object.keys(options.commonErrors)) {
    all[code] ??= { $ref: `#/components/responses/Error${code}` };
  }
  return all;
}

function succeeds(
  example: OperationExample<unknown>,
): example is OperationExample<unknown> & { result: unknown } {
  return 'result' in example;
}

/** The name of an operation in names of schemas: `getShards` is `Shards`. */
function nameOf({ name }: Pick<Operation<never>, 'name'>): string {
  const subject = oneWord(name).replace(/^get(?=[A-Z])/, '');
  return subject.charAt(0).toUpperCase() + subject.slice(1);
}

function errorResponse(description: string, { errorSchema }: Pick<OpenApiOptions, 'errorSchema'>): Json {
  return { description, content: { 'application/json': { schema: errorSchema } } };
}

function errorResponses(options: OpenApiOptions): Json {
  return Object.fromEntries(
    Object.entries(options.commonErrors).map(([code, when]) => [
      `Error${code}`,
      errorResponse(when, options),
    ]),
  );
}
