// biome-ignore lint/suspicious/noExplicitAny: a parsed OpenAPI document
type Json = any;

/** One operation of a document with the request that a docs page fills in for it. */
export interface ShownRequest {
  /** Method and path. */
  readonly title: string;
  readonly path: string;
  readonly method: 'get' | 'post';
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The response that the document shows; undefined for one without a body. */
  readonly example: unknown;
}

/**
 * The requests of all operations as Swagger UI fills them in: a parameter gets its `example`, else the default of its
 * schema; a body is its example. `examples` of a schema are not filled in.
 */
export function shownRequests(document: Json): ShownRequest[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => shownRequest(path, method, operation)),
  );
}

function shownRequest(path: string, method: string, operation: Json): ShownRequest {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const parameter of operation.parameters ?? []) {
    const value = parameter.example ?? parameter.schema.default;
    if (value === undefined) continue;
    if (parameter.in === 'header') headers[parameter.name] = String(value);
    else for (const each of [value].flat()) query.append(parameter.name, String(each));
  }
  const example = operation.requestBody?.content['application/json'].example;
  if (example !== undefined) headers['content-type'] = 'application/json';
  return {
    title: `${method} ${path}`,
    path,
    method: method as 'get' | 'post',
    url: query.size === 0 ? path : `${path}?${query}`,
    headers,
    body: example === undefined ? undefined : JSON.stringify(example),
    example: operation.responses[200].content?.['application/json'].example,
  };
}

/** Parameters of a document that have neither an example nor a default, as `method path name`. */
export function withoutExample(document: Json): string[] {
  const isShown = (schema: Json): boolean => schema.default !== undefined || schema.examples !== undefined;
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([method, { parameters = [], requestBody }]) => {
      const { $ref: reference, ...inline } = requestBody?.content['application/json'].schema ?? {};
      const schema = document.components.schemas[String(reference).split('/').at(-1)!] ?? inline;
      const members = Object.entries<Json>(schema.properties ?? {});
      return [
        ...parameters.filter((one: Json) => one.example === undefined && !isShown(one.schema)),
        ...members.filter(([, member]) => !isShown(member)).map(([name]) => ({ name })),
      ].map(({ name }: { name: string }) => `${method} ${path} ${name}`);
    }),
  );
}

/** Keys that are data: addresses and hashes. */
const DATA_KEY = /^-?\d+:[0-9A-F]{64}$|^[A-Za-z0-9+/]{43}=$|^[A-Za-z0-9_-]{48}$/;

/**
 * Where two responses differ in form: in their keys or in the types of their values. Members with addresses or hashes as
 * keys have one form, and so do the elements of a list. Null has any, because schemas say where it may be; a list that is
 * shown with elements has some.
 */
export function formDifferences(shown: unknown, real: unknown, place = ''): string[] {
  if (Array.isArray(shown) && Array.isArray(real)) {
    if (shown.length === 0) return [];
    if (real.length === 0) return [`${place} is empty`];
    return formDifferences(shown[0], real[0], `${place}[0]`);
  }
  if (shown === null || real === null) return [];
  if (!isObject(shown) || !isObject(real)) {
    const [wanted, had] = [typeOf(shown), typeOf(real)];
    return wanted === had ? [] : [`${place}: ${wanted} is shown, ${had} is real`];
  }
  const [wanted, had] = [membersOf(shown), membersOf(real)];
  return [...new Set([...wanted.keys(), ...had.keys()])].flatMap((key) => {
    if (key === '*' && !(wanted.has(key) && had.has(key))) return [];
    if (!wanted.has(key)) return [`${place}.${key} is not shown`];
    if (!had.has(key)) return [`${place}.${key} is only shown`];
    return formDifferences(wanted.get(key), had.get(key), `${place}.${key}`);
  });
}

function membersOf(value: Json): Map<string, unknown> {
  return new Map(Object.entries(value).map(([key, inner]) => [DATA_KEY.test(key) ? '*' : key, inner]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
