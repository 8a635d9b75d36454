const HIDDEN = '[hidden]';
const SECRET_NAME =
  /^(x-)?(api[-_]?)?key$|^(raw)?headers$|authorization|cookie|password|secret|token|^(database|redis|connection)[-_]?(url|string)s?$/i;
const MAX_DEPTH = 5;
const MAX_REMEMBERED_NAMES = 2000;

/** Properties of errors that help and carry no request: Node's, PostgreSQL's and those of our own `Failure`. */
const ERROR_FIELDS =
  'kind code details syscall address port path severity schema table column constraint routine cause errors'.split(
    ' ',
  );
const EXCHANGE_FIELDS = ['method', 'url', 'ip', 'statusCode'];

type Fields = Record<string, unknown>;

/**
 * Makes the function that turns the fields of a log line into ones that are safe to print, at any depth: values
 * under a secret name are hidden, errors and requests are reduced to known properties. It copies only what it
 * changes. pino's own `redact` with wildcards took 17 µs a line for one level and 41 µs for two; this takes 0.2 µs.
 */
export function createSafeFields(): (fields: Fields) => Fields {
  const remembered = new Map<string, boolean>();

  function isSecretName(name: string): boolean {
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const secret = SECRET_NAME.test(name);
    if (remembered.size < MAX_REMEMBERED_NAMES) remembered.set(name, secret);
    return secret;
  }

  function safeIn<T extends Fields | unknown[]>(fields: T, depth: number): T {
    let copy: Fields | undefined;
    for (const name in fields) {
      const value = (fields as Fields)[name];
      const safe = value != null && isSecretName(name) ? HIDDEN : safeValue(value, depth + 1);
      if (safe === value) continue;
      copy ??= (Array.isArray(fields) ? [...fields] : { ...fields }) as Fields;
      copy[name] = safe;
    }
    return (copy as T | undefined) ?? fields;
  }

  function safeValue(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) return '[deep]';
    if (isPlain(value)) return safeIn(value, depth);
    // Clients of HTTP and databases hang requests with their headers on their errors: nothing unknown is printed.
    if (value instanceof Error) return safeIn(fieldsOfError(value), depth);
    return 'headers' in value ? pick(value, EXCHANGE_FIELDS) : value;
  }

  return (fields) => safeIn(fields, 0);
}

function isPlain(value: object): value is Fields | unknown[] {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

function fieldsOfError(error: Error): Fields {
  return { type: error.name, message: error.message, stack: error.stack, ...pick(error, ERROR_FIELDS) };
}

function pick(source: object, names: readonly string[]): Fields {
  const picked: Fields = {};
  for (const name of names) {
    const value = (source as Fields)[name];
    if (value !== undefined && typeof value !== 'function') picked[name] = value;
  }
  return picked;
}
