import type { Operation, ParameterOrigin } from '../http/operation.ts';
import { Failure } from '../lib/failure.ts';
import type { V2Call } from './call.ts';
import { PARSE_PREFIX } from './params/refusal.ts';

type Values = Record<string, unknown>;
const NO_VALUES: readonly unknown[] = [];

/** Reads the parameters of one operation, whichever way they came. */
export interface ParamReader {
  /** From a query string; names the operation does not know are ignored. */
  readonly fromQuery: (query: Values) => Values;
  /** From a JSON body or JSON-RPC `params`; names the operation does not know are refused. */
  readonly fromBody: (body: unknown) => Values;
}

/** Makes the reader of an operation's parameters. */
export function createParamReader({ parameters, ignoreUnknownProperties }: Operation<V2Call>): ParamReader {
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

  return {
    fromQuery: (query) => readAll(query, 'query'),
    fromBody: (body) => {
      if (body === undefined || body === null) return readAll({}, 'body');
      if (typeof body !== 'object' || Array.isArray(body)) {
        throw new Failure('invalid', `${PARSE_PREFIX.body}Error at path '/': must be an object`);
      }
      const unknown = ignoreUnknownProperties
        ? undefined
        : Object.keys(body).find((name) => !Object.hasOwn(parameters, name));
      if (unknown !== undefined) {
        const text = `Error at path '/': Unknown property '${unknown.slice(0, 64)}'`;
        throw new Failure('invalid', `${PARSE_PREFIX.body}${text}`);
      }
      return readAll(body as Values, 'body');
    },
  };
}
