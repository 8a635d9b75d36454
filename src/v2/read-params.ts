import type { Operation, ParameterOrigin } from '../http/operation.ts';
import { Failure } from '../lib/failure.ts';
import type { V2Call } from './call.ts';
import { PARSE_PREFIX } from './params/refusal.ts';

type Values = Record<string, unknown>;
const NO_VALUES: readonly unknown[] = [];

/**
 * Makes the reader of an operation's parameters. Names that the operation does not know are ignored in a query string
 * and refused in a JSON body or in JSON-RPC `params`.
 */
export function createParamReader({
  parameters,
  ignoreUnknownProperties,
}: Operation<V2Call>): (given: unknown, origin: ParameterOrigin) => Values {
  const entries = Object.entries(parameters);

  function readAll(source: Values, origin: ParameterOrigin): Values {
    const read: Values = {};
    for (const [name, parameter] of entries) {
      const given = Object.hasOwn(source, name) ? source[name] : undefined;
      const several = origin === 'query' && Array.isArray(given);
      const values = given === undefined ? NO_VALUES : several ? given : [given];
      read[name] = parameter.read({ name, values, origin });
    }
    return read;
  }

  function checkBody(body: unknown): Values {
    if (body === undefined || body === null) return {};
    if (typeof body !== 'object' || Array.isArray(body)) {
      throw new Failure('invalid', `${PARSE_PREFIX.body}Error at path '/': must be an object`);
    }
    const unknown = ignoreUnknownProperties
      ? undefined
      : Object.keys(body).find((name) => !Object.hasOwn(parameters, name));
    if (unknown === undefined) return body as Values;
    const text = `Error at path '/': Unknown property '${unknown.slice(0, 64)}'`;
    throw new Failure('invalid', `${PARSE_PREFIX.body}${text}`);
  }

  return (given, origin) => readAll(origin === 'query' ? (given as Values) : checkBody(given), origin);
}
