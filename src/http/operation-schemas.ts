import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import { type CommonErrors, describedAs, errorResponses } from './openapi.ts';
import { bodySchema, type Operation, type OperationExample, querySchema } from './operation.ts';

type Json = Record<string, unknown>;

/** What the routes of an interface have in common. */
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
