import type { Operation, ParameterOrigin } from '../http/operation.ts';
import { Failure } from '../lib/failure.ts';

/** What a request gave: all values of each name, names in lower case. */
export interface RequestValues {
  readonly origin: ParameterOrigin;
  readonly values: ReadonlyMap<string, readonly unknown[]>;
}

const NO_VALUES: readonly unknown[] = [];

/**
 * Values of a parsed query string. Letter case of names does not count and `name[]` is `name`. Occurrences keep
 * their order within one spelling of a name; the parser has already grouped them by spelling.
 */
export function queryValues(query: unknown): RequestValues {
  const values = new Map<string, readonly unknown[]>();
  for (const [spelling, given] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    const name = (spelling.endsWith('[]') ? spelling.slice(0, -2) : spelling).toLowerCase();
    const before = values.get(name);
    const added = Array.isArray(given) ? given : [given];
    values.set(name, before === undefined ? added : [...before, ...added]);
  }
  return { origin: 'query', values };
}

/** Values of a JSON body: one a property, an array counting as one; null means absent. */
export function bodyValues(body: unknown): RequestValues {
  const values = new Map<string, readonly unknown[]>();
  if (body === undefined || body === null) return { origin: 'body', values };
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Failure('invalid', 'failed to decode: request body must be a JSON object');
  }
  for (const [name, value] of Object.entries(body)) {
    if (value !== null) values.set(name.toLowerCase(), [value]);
  }
  return { origin: 'body', values };
}

/** Reads an operation's parameters; names it does not know are ignored, all that is wrong is told in one refusal. */
export function readParams(
  operation: Pick<Operation<never>, 'parameters'>,
  { origin, values }: RequestValues,
): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  const failures: Failure[] = [];
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    try {
      params[name] = parameter.read({ name, values: values.get(name.toLowerCase()) ?? NO_VALUES, origin });
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'invalid') throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw joinFailures(failures);
  return params;
}

function joinFailures(failures: readonly Failure[]): Failure {
  const first = failures[0]!;
  const others = failures.length - 1;
  if (others === 0) return first;
  const suffix = others === 1 ? ' (and 1 other error)' : ` (and ${others} other errors)`;
  return new Failure('invalid', first.message + suffix, {
    details: { ...first.details, others: failures.slice(1).map((failure) => failure.details?.parameter) },
  });
}
