import type { Operation, ParameterOrigin } from '../http/operation.ts';
import { Failure } from '../lib/failure.ts';
import type { V2Call } from './call.ts';
import { PARSE_PREFIX } from './params/refusal.ts';

/** Values by the names they were sent with. */
export type Values = Readonly<Record<string, unknown>>;
const NO_VALUES: readonly unknown[] = [];
const NOTHING: Values = {};

/** How the values of one call came. */
export interface Sent {
  /** The query string, or the body or `params` of a JSON-RPC call. */
  readonly given: unknown;
  readonly origin: ParameterOrigin;
  /** Whether they are `params` of JSON-RPC, which are looked at more strictly. */
  readonly isRpc: boolean;
}

/** Reads an operation's parameters in two steps: what was sent by name, then what each value means. */
export interface ParamReader {
  /**
   * The values by their names. Names that the operation does not know are ignored in a query string and refused in
   * JSON-RPC `params`, and in a JSON body by most operations.
   */
  readonly open: (sent: Sent) => Values;
  readonly read: (values: Values, origin: ParameterOrigin) => Record<string, unknown>;
}

/** Makes the reader of an operation's parameters. */
export function createParamReader({
  parameters,
  ignoreUnknownProperties,
}: Pick<Operation<V2Call>, 'parameters' | 'ignoreUnknownProperties'>): ParamReader {
  const entries = Object.entries(parameters);

  function openBody(body: unknown, isRpc: boolean): Values {
    if (body === undefined || body === null) return NOTHING;
    if (typeof body !== 'object' || Array.isArray(body)) {
      throw new Failure('invalid', `${PARSE_PREFIX.body}Error at path '/': must be an object`);
    }
    if (ignoreUnknownProperties && !isRpc) return body as Values;
    for (const name of Object.keys(body)) {
      if (!Object.hasOwn(parameters, name)) throw unknownProperty(name);
    }
    return body as Values;
  }

  return {
    open: ({ given, origin, isRpc }) => (origin === 'query' ? (given as Values) : openBody(given, isRpc)),
    read(source, origin) {
      const read: Record<string, unknown> = {};
      for (const [name, parameter] of entries) {
        const given = Object.hasOwn(source, name) ? source[name] : undefined;
        const several = origin === 'query' && Array.isArray(given);
        const values = given === undefined ? NO_VALUES : several ? given : [given];
        read[name] = parameter.read({ name, values, origin });
      }
      return read;
    },
  };
}

function unknownProperty(name: string): Failure {
  const text = `Error at path '/': Unknown property '${name.slice(0, 64)}'`;
  return new Failure('invalid', `${PARSE_PREFIX.body}${text}`);
}
