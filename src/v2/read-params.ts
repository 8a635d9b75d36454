import type { Operation, ParameterOrigin } from '../http/operation.ts';
import { Failure } from '../lib/failure.ts';
import type { V2Call } from './call.ts';
import { PARSE_PREFIX } from './params/refusal.ts';

type Values = Record<string, unknown>;
const NO_VALUES: readonly unknown[] = [];

/** Reads an operation's parameters from a query string; names it does not know are ignored. */
export function readQuery(operation: Operation<V2Call>, query: Values): Values {
  return readAll(operation, query, 'query');
}

/** Reads an operation's parameters from a JSON body or from JSON-RPC `params`; both refuse names they do not know. */
export function readBody(operation: Operation<V2Call>, body: unknown): Values {
  if (body === undefined || body === null) return readAll(operation, {}, 'body');
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Failure('invalid', `${PARSE_PREFIX.body}Error at path '/': must be an object`);
  }
  if (!operation.ignoreUnknownProperties) {
    for (const name of Object.keys(body)) {
      if (Object.hasOwn(operation.parameters, name)) continue;
      throw new Failure(
        'invalid',
        `${PARSE_PREFIX.body}Error at path '/': Unknown property '${name.slice(0, 64)}'`,
      );
    }
  }
  return readAll(operation, body as Values, 'body');
}

function readAll(operation: Operation<V2Call>, source: Values, origin: ParameterOrigin): Values {
  const read: Values = {};
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    const given = Object.hasOwn(source, name) ? source[name] : undefined;
    const values =
      given === undefined ? NO_VALUES : origin === 'query' && Array.isArray(given) ? given : [given];
    read[name] = parameter.read({ name, values, origin });
  }
  return read;
}
