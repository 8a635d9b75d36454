import { toSwaggerSchema } from './swagger2-schema.ts';

type Json = Record<string, unknown>;

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;
const JSON_TYPE = 'application/json';

/**
 * Turns an OpenAPI 3.1 document into the Swagger 2.0 document that tools of the original service read. Shared
 * parameters, bodies and responses are put in place; shared schemas become definitions.
 */
export function toSwagger2(document: Json): Json {
  const components = objectOf(document.components);
  const resolve = createResolver(components);
  const server = objectOf((document.servers as readonly unknown[] | undefined)?.[0]).url;
  return {
    swagger: '2.0',
    info: document.info,
    basePath: typeof server === 'string' && server.startsWith('/') ? server : '/',
    consumes: [JSON_TYPE],
    produces: [JSON_TYPE],
    ...pick(document, ['tags', 'externalDocs', 'security']),
    paths: mapEntries(objectOf(document.paths), (item) => toPathItem(objectOf(item), resolve)),
    securityDefinitions: mapEntries(objectOf(components.securitySchemes), (scheme) => scheme),
    definitions: mapEntries(objectOf(components.schemas), toSwaggerSchema),
  };
}

type Resolve = (value: unknown) => Json;

/** Follows references to shared parts other than schemas, which 2.0 keeps elsewhere or not at all. */
function createResolver(components: Json): Resolve {
  return (value) => {
    const { $ref } = objectOf(value);
    const [, group, name] = typeof $ref === 'string' ? (/^#\/components\/(\w+)\/(.+)$/.exec($ref) ?? []) : [];
    return group && name ? objectOf(objectOf(components[group])[name]) : objectOf(value);
  };
}

function toPathItem(item: Json, resolve: Resolve): Json {
  const shared = (item.parameters as readonly unknown[] | undefined) ?? [];
  const target: Json = {};
  for (const method of METHODS) {
    if (item[method] !== undefined) target[method] = toOperation(objectOf(item[method]), shared, resolve);
  }
  return target;
}

function toOperation(operation: Json, shared: readonly unknown[], resolve: Resolve): Json {
  const own = (operation.parameters as readonly unknown[] | undefined) ?? [];
  const parameters = [...shared, ...own].map((parameter) => toParameter(resolve(parameter), resolve));
  if (operation.requestBody !== undefined) parameters.push(toBodyParameter(resolve(operation.requestBody)));
  return {
    ...pick(operation, ['tags', 'summary', 'description', 'operationId', 'deprecated', 'security']),
    parameters,
    responses: mapEntries(objectOf(operation.responses), (response) => toResponse(resolve(response))),
  };
}

/** In 2.0 the schema's members stand in the parameter itself, and repeated names are `collectionFormat: multi`. */
function toParameter(parameter: Json, resolve: Resolve): Json {
  const { description, ...schema } = toSwaggerSchema(resolve(parameter.schema));
  const text = parameter.description ?? description;
  return {
    ...pick(parameter, ['name', 'in', 'required']),
    ...(text === undefined ? {} : { description: text }),
    ...schema,
    // Members that have no single type are sent as text anyway.
    type: schema.type ?? 'string',
    ...(schema.type === 'array' && parameter.in === 'query' ? { collectionFormat: 'multi' } : {}),
  };
}

function toBodyParameter(body: Json): Json {
  return {
    name: 'request',
    in: 'body',
    required: body.required === true,
    ...pick(body, ['description']),
    schema: toSwaggerSchema(jsonContent(body).schema),
  };
}

function toResponse(response: Json): Json {
  const { schema, example } = jsonContent(response);
  return {
    description: response.description ?? '',
    ...(schema === undefined ? {} : { schema: toSwaggerSchema(schema) }),
    ...(example === undefined ? {} : { examples: { [JSON_TYPE]: example } }),
  };
}

function jsonContent(holder: Json): Json {
  return objectOf(objectOf(holder.content)[JSON_TYPE]);
}

function pick(source: Json, keys: readonly string[]): Json {
  return Object.fromEntries(keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]]));
}

function mapEntries(source: Json, map: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(source).map(([key, value]) => [key, map(value)]));
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
