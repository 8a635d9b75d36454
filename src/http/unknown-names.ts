import type { FastifyReply, FastifyRequest } from 'fastify';
import { closestName } from '../lib/closest-name.ts';
import { Failure, type FailureKind } from '../lib/errors.ts';
import { quoted } from '../lib/wrong-value.ts';
import type { Operation } from './operation.ts';

/** The header that lists names which an operation does not know. */
export const UNKNOWN_PARAMS = 'x-tongate-unknown-params';

/** The error for a name that does not exist, with the one that was probably meant; `text` says what it is a name of. */
export function unknownName(
  parameter: string,
  text: string,
  name: string,
  known: Iterable<string>,
  kind: FailureKind = 'invalid',
): Failure {
  const meant = closestName(name, known);
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return new Failure(kind, `${text} ${quoted(name)}${hint}`, { details: { parameter } });
}

/** The names that are not known; undefined if all are, which costs no allocation. */
export function unknownNames(names: Iterable<string>, known: ReadonlySet<string>): string[] | undefined {
  let unknown: string[] | undefined;
  for (const name of names) {
    if (known.has(name)) continue;
    if (unknown === undefined) unknown = [name];
    else unknown.push(name);
  }
  return unknown;
}

const MAX_LISTED = 10;
const MAX_NAME_CHARS = 64;

/** Unknown names as the value of the header. */
export function listUnknownNames(names: readonly string[]): string {
  const shown = names
    .slice(0, MAX_LISTED)
    .map((name) => encodeURIComponent(name.toWellFormed()).slice(0, MAX_NAME_CHARS));
  return names.length > MAX_LISTED ? `${shown.join(', ')}, ...` : shown.join(', ');
}

const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** Reads a switch of a request, such as `X-Strict-Params`; undefined for any other word. */
export function parseSwitch(text: string): boolean | undefined {
  if (TRUE_WORDS.has(text)) return true;
  return FALSE_WORDS.has(text) ? false : undefined;
}

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
