import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from './operation.ts';
import { listUnknownNames, parseSwitch, UNKNOWN_PARAMS, unknownName, unknownNames } from './unknown-names.ts';

const STRICT = { header: 'x-strict-params', query: 'x_strict_params' };
/** Query parameters that every route takes. */
const COMMON_NAMES = ['api_key', STRICT.query];
const RPC_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

type NameCheck = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * Creates the hook of a v2 route that looks for names which its operation does not know. Where the contract ignores them, the response
 * lists them in a header, or a strict caller gets an error. Bodies and `params` in which the contract rejects them are
 * not looked at.
 */
export function createNameCheck(
  operation: Pick<Operation<never>, 'parameters' | 'ignoreUnknownProperties'>,
  isStrict: boolean,
): NameCheck {
  const known = new Set([...Object.keys(operation.parameters), ...COMMON_NAMES]);
  const isBodyLoose = operation.ignoreUnknownProperties === true;
  return ({ method, query, body, headers }, reply, done) => {
    let unknown = unknownIn(query, known);
    if (isBodyLoose && method === 'POST') unknown = joined(unknown, unknownIn(body, known));
    if (unknown === undefined) done();
    else done(report(unknown, known, { query, headers }, reply, isStrict));
  };
}

/** The same for JSON-RPC: the query, and the members of calls beside `params`. */
export function createRpcNameCheck(isStrict: boolean): NameCheck {
  const known = new Set([...RPC_MEMBERS, ...COMMON_NAMES]);
  const inQuery = new Set(COMMON_NAMES);
  return ({ query, body, headers }, reply, done) => {
    let unknown = unknownIn(query, inQuery);
    for (const call of Array.isArray(body) ? body : [body])
      unknown = joined(unknown, unknownIn(call, RPC_MEMBERS));
    if (unknown === undefined) done();
    else done(report(unknown, known, { query, headers }, reply, isStrict));
  };
}

function unknownIn(members: unknown, known: ReadonlySet<string>): string[] | undefined {
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return undefined;
  return unknownNames(Object.keys(members), known);
}

function joined(names: string[] | undefined, more: string[] | undefined): string[] | undefined {
  return names === undefined || more === undefined ? (names ?? more) : [...names, ...more];
}

/** Lists the names in the header, or returns the error for a strict caller. */
function report(
  unknown: readonly string[],
  known: ReadonlySet<string>,
  { query, headers }: Pick<FastifyRequest, 'query' | 'headers'>,
  reply: FastifyReply,
  isStrict: boolean,
): Error | undefined {
  const wish = headers[STRICT.header] ?? (query as Record<string, unknown>)[STRICT.query];
  if (isStrict || parseSwitch(String(wish)) === true)
    return unknownName(unknown[0]!, 'unknown parameter', unknown[0]!, known);
  reply.header(UNKNOWN_PARAMS, listUnknownNames([...new Set(unknown)]));
  return undefined;
}
