import { commonPart, isUnionByProperty } from '../http/named-schemas.ts';

type Json = Record<string, unknown>;

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;
const JSON_TYPE = 'application/json';

/**
 * Converts an OpenAPI 3.1 document to Swagger 2.0, for tools made for TON Center. Shared parameters, bodies and responses
 * are inlined; shared schemas become definitions.
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
    definitions: mapEntries(objectOf(components.schemas), (schema) =>
      toSwaggerSchema(withoutDiscriminator(objectOf(schema), resolve)),
    ),
  };
}

type Resolve = (value: unknown) => Json;

/** Resolves references to shared parts other than schemas, which 2.0 keeps elsewhere or not at all. */
function createResolver(components: Json): Resolve {
  return (value) => {
    const { $ref } = objectOf(value);
    const [, group, name] = typeof $ref === 'string' ? (/^#\/components\/(\w+)\/(.+)$/.exec($ref) ?? []) : [];
    return group && name ? objectOf(objectOf(components[group])[name]) : objectOf(value);
  };
}

/** 2.0 has no unions: one object with what all branches have stands for a union by a property. */
function withoutDiscriminator(schema: Json, resolve: Resolve): Json {
  return isUnionByProperty(schema) ? commonPart(schema, schema.oneOf.map(resolve)) : schema;
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

/** In 2.0 the members of the schema are members of the parameter, and repeated names are `collectionFormat: multi`. */
function toParameter(parameter: Json, resolve: Resolve): Json {
  const { description, example: _, ...schema } = toSwaggerSchema(withoutTexts(resolve(parameter.schema)));
  const text = parameter.description ?? description;
  return {
    ...pick(parameter, ['name', 'in', 'required']),
    ...(text === undefined ? {} : { description: text }),
    ...schema,
    // Parameters without a single type are sent as text anyway.
    type: schema.type ?? 'string',
    // 2.0 has no examples of parameters; docs pages know this extension.
    ...(parameter.example === undefined ? {} : { 'x-example': parameter.example }),
    ...(schema.type === 'array' && parameter.in === 'query' ? { collectionFormat: 'multi' } : {}),
  };
}

/** A number that may also be a text is a number in 2.0. */
function withoutTexts(schema: Json): Json {
  const { pattern, ...rest } = schema;
  return [schema.type].flat().includes('integer') ? { ...rest, type: without(rest.type, 'string') } : schema;
}

function without(types: unknown, type: string): unknown {
  return Array.isArray(types) ? types.filter((one) => one !== type) : types;
}

function toBodyParameter(body: Json): Json {
  return {
    name: 'request',
    in: 'body',
    required: body.required === true,
    ...pick(body, ['description']),
    schema: toBodySchema(jsonContent(body)),
  };
}

function toBodySchema({ schema, example }: Json): Json {
  const converted = toSwaggerSchema(schema);
  return example === undefined || '$ref' in converted ? converted : { ...converted, example };
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

/** Keywords with the same meaning in a 3.1 schema and in Swagger 2.0. */
const KEPT = [
  'title',
  'description',
  'format',
  'default',
  'multipleOf',
  'maximum',
  'minimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'enum',
  'required',
  'readOnly',
  'example',
] as const;

/** Converts a schema of OpenAPI 3.1 to Swagger 2.0; what 2.0 cannot express becomes wider, never wrong. */
export function toSwaggerSchema(schema: unknown): Json {
  if (typeof schema !== 'object' || schema === null) return {};
  const source = schema as Json;
  if (typeof source.$ref === 'string') return { $ref: toDefinition(source.$ref) };
  const choice = source.anyOf ?? source.oneOf;
  const target: Json = Array.isArray(choice) ? fromChoice(choice) : {};
  for (const key of KEPT) if (source[key] !== undefined) target[key] = source[key];
  for (const key of Object.keys(source)) if (key.startsWith('x-')) target[key] = source[key];
  copyType(source, target);
  copyBounds(source, target);
  copyChildren(source, target);
  if (source.const !== undefined) target.enum = [source.const];
  if (target.example === undefined && Array.isArray(source.examples)) target.example = source.examples[0];
  return target;
}

/** Where a shared schema of the 3.1 document is in the 2.0 document. */
function toDefinition(ref: string): string {
  return ref.replace('#/components/schemas/', '#/definitions/');
}

/** 2.0 has no lists of types: null becomes `x-nullable`, several other types become any. */
function copyType(source: Json, target: Json): void {
  if (source.type === undefined) return;
  const types = [source.type].flat();
  const named = types.filter((type) => type !== 'null');
  if (named.length === 1) target.type = named[0];
  if (named.length < types.length) target['x-nullable'] = true;
}

function copyBounds(source: Json, target: Json): void {
  if (typeof source.exclusiveMinimum === 'number') {
    target.minimum = source.exclusiveMinimum;
    target.exclusiveMinimum = true;
  }
  if (typeof source.exclusiveMaximum === 'number') {
    target.maximum = source.exclusiveMaximum;
    target.exclusiveMaximum = true;
  }
}

function copyChildren(source: Json, target: Json): void {
  if (isObject(source.properties)) target.properties = mapEntries(source.properties, toSwaggerSchema);
  // 2.0 requires `items` for arrays and has one schema for all of them.
  if (target.type === 'array')
    target.items = Array.isArray(source.items) ? {} : toSwaggerSchema(source.items);
  if (Array.isArray(source.allOf)) target.allOf = source.allOf.map(toSwaggerSchema);
  const patterns = isObject(source.patternProperties) ? Object.values(source.patternProperties) : [];
  if (patterns.length === 1) target.additionalProperties = toSwaggerSchema(patterns[0]);
  else if (typeof source.additionalProperties === 'boolean') {
    target.additionalProperties = source.additionalProperties;
  } else if (isObject(source.additionalProperties)) {
    target.additionalProperties = toSwaggerSchema(source.additionalProperties);
  }
}

/** 2.0 has no anyOf: a null branch becomes `x-nullable`, constants become an enum, the rest any. */
function fromChoice(branches: readonly unknown[]): Json {
  const named = branches.filter((branch) => !isObject(branch) || branch.type !== 'null');
  const nullable = named.length < branches.length ? { 'x-nullable': true } : {};
  if (named.length === 1) {
    const only = toSwaggerSchema(named[0]);
    // A reference cannot have siblings.
    return '$ref' in only ? { allOf: [only], ...nullable } : { ...only, ...nullable };
  }
  const values = named.map((branch) => (isObject(branch) ? branch.const : undefined));
  const types = new Set(named.map((branch) => (isObject(branch) ? branch.type : undefined)));
  const type = types.size === 1 && typeof [...types][0] === 'string' ? { type: [...types][0] } : {};
  if (!values.includes(undefined)) return { ...type, enum: values, ...nullable };
  return type.type === 'array' ? nullable : { ...type, ...nullable };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
