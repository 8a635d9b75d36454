// biome-ignore lint/suspicious/noExplicitAny: a parsed OpenAPI document
type Json = any;

/** Whether a schema allows a value. */
export type Validity = 'valid' | 'invalid';

interface GivenParameter {
  readonly in: 'query' | 'header' | 'body';
  readonly name: string;
  readonly schema: Json;
  /** What a docs page shows, and what else the document shows. */
  readonly examples: readonly unknown[];
}

/** One operation of a document, with what it can be sent. */
export interface DocumentOperation {
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly GivenParameter[];
  /** The request as a docs page fills it in. */
  readonly shown: Readonly<Record<GivenParameter['in'], Readonly<Record<string, unknown>>>>;
}

/** A change of the shown request: one parameter with another value. */
export interface DocumentCase {
  readonly operation: DocumentOperation;
  readonly parameter: GivenParameter;
  readonly value: unknown;
  readonly validity: Validity;
}

export function operationsOf(document: Json): DocumentOperation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => operationOf(document, path, method, operation)),
  );
}

function operationOf(document: Json, path: string, method: string, operation: Json): DocumentOperation {
  const given = (operation.parameters ?? [])
    .filter((one: Json) => one.in !== 'path')
    .map((parameter: Json) => ({
      in: parameter.in,
      name: parameter.name,
      schema: parameter.schema,
      examples: [parameter.example, ...(parameter.schema.examples ?? [])].filter((one) => one !== undefined),
    }));
  const content = operation.requestBody?.content['application/json'];
  const schema = content && resolve(document, content.schema);
  const members = Object.entries<Json>(schema?.properties ?? {}).map(([name, member]) => {
    const resolved = resolve(document, member);
    const example = content.example?.[name];
    const examples = [example, ...(resolved.examples ?? [])].filter((one) => one !== undefined);
    return { in: 'body' as const, name, schema: resolved, examples };
  });
  const shownIn = (place: string) =>
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((one: Json) => one.in === place && one.example !== undefined)
        .map((one: Json) => [one.name, one.example]),
    );
  return {
    path,
    method,
    parameters: [...given, ...members],
    shown: { query: shownIn('query'), header: shownIn('header'), body: content?.example ?? {} },
  };
}

function resolve(document: Json, schema: Json): Json {
  if (typeof schema.$ref !== 'string') return schema;
  return resolve(document, document.components.schemas[schema.$ref.split('/').at(-1)!]);
}

/** Every parameter with every value of interest. */
export function casesOf(operation: DocumentOperation): DocumentCase[] {
  return operation.parameters.flatMap((parameter) =>
    (['valid', 'invalid'] as const).flatMap((validity) =>
      valuesOf(parameter, validity).map((value) => ({ operation, parameter, value, validity })),
    ),
  );
}

function valuesOf({ in: place, schema, examples }: GivenParameter, validity: Validity): unknown[] {
  if (validity === 'valid') return [...new Set([...examples, ...validValues(schema)])];
  if (schema.type === 'array') return invalidValues(schema.items ?? {}, place).map((value) => [value]);
  return invalidValues(schema, place);
}

function validValues(schema: Json): unknown[] {
  const types = [schema.type].flat();
  if (schema.enum !== undefined) return schema.enum;
  if (types.includes('integer')) return [schema.minimum, schema.maximum].filter((one) => one !== undefined);
  if (types.includes('number')) return [schema.minimum, schema.maximum, 1790000000.5];
  if (types.includes('boolean')) return [true, false];
  return [];
}

/** A text that is no number, no word, no address and no hash. */
const BAD = 'b@d value';

function invalidValues(schema: Json, place: GivenParameter['in']): unknown[] {
  const types: string[] = [schema.type ?? []].flat();
  // A text of any other form may be what a parameter takes, and an object what a union takes.
  const others =
    place === 'body' && types.length > 0 ? [{ bad: true }, [[]], true].filter(isNoneOf(types)) : [];
  if (schema.enum !== undefined) return [BAD, ...others];
  if (types.some((type) => type === 'integer' || type === 'number')) {
    const beyond = [
      ...(schema.minimum === undefined ? [] : [schema.minimum - 1]),
      // Above the last double that is allowed, the next one.
      ...(schema.maximum === undefined ? [] : [schema.maximum < 2 ** 53 ? schema.maximum + 1 : 1e30]),
    ].map((value) => (value === 1e30 ? `1${'0'.repeat(30)}` : value));
    return [BAD, ...beyond, ...(types.includes('integer') ? [0.5] : []), ...others];
  }
  if (types.includes('boolean')) return [BAD, ...others.filter((one) => one !== true)];
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(BAD)) return [BAD, ...others];
  return others;
}

function isNoneOf(types: readonly string[]): (value: unknown) => boolean {
  return (value) => {
    const type = Array.isArray(value) ? 'array' : typeof value;
    return !types.includes(type);
  };
}

export interface PreparedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** In the place of ids in paths: what is there must not be changed. */
const NOBODYS_ID = '999999999';

/** The shown request with other values for some parameters. */
export function requestOf(
  operation: DocumentOperation,
  changes: readonly Pick<DocumentCase, 'parameter' | 'value'>[],
): PreparedRequest {
  const { path, method, shown, parameters } = operation;
  const sent = {
    query: { ...shown.query },
    header: { ...shown.header },
    body: Array.isArray(shown.body) ? shown.body : { ...shown.body },
  } as Record<GivenParameter['in'], Record<string, unknown>>;
  for (const { parameter, value } of changes) sent[parameter.in][parameter.name] = value;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent.query))
    for (const each of [value].flat(3)) query.append(name, String(each));
  const headers = Object.fromEntries(
    Object.entries(sent.header).map(([name, value]) => [name, String(value)]),
  );
  const hasBody = Object.keys(sent.body).length > 0 || parameters.some((one) => one.in === 'body');
  const place = path.replace(/\{\w+\}/g, NOBODYS_ID);
  return {
    url: query.size === 0 ? place : `${place}?${query}`,
    method: method.toUpperCase(),
    headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
    body: hasBody ? JSON.stringify(sent.body) : undefined,
  };
}
