import { type PublicError, publicErrorOf } from '../http/errors.ts';
import { PlainText } from '../http/serializer.ts';
import type { JsonText } from '../lib/json-text.ts';
import type { Log } from '../lib/log.ts';

/** The response to one call, whichever transport it came by. */
export interface V2Response {
  readonly status: number;
  readonly body: SuccessBody | ErrorBody;
  readonly retryAfterSeconds: number | undefined;
  /** Tag of a result that can never change. */
  readonly etag: string | undefined;
}

/** Members that JSON-RPC adds to the envelope; the id is JSON, because it may be a number that JavaScript rounds. */
export interface RpcMembers {
  readonly jsonrpc: '2.0' | undefined;
  readonly id: JsonText | undefined;
}

interface SuccessBody extends RpcMembers {
  readonly ok: true;
  readonly result: JsonText;
  readonly '@extra': string;
}

/** An error has no `result`, which some clients would take for data whatever the status is. */
interface ErrorBody extends RpcMembers {
  readonly ok: false;
  readonly error: string;
  readonly code: number;
  readonly '@extra': string;
}

const RPC_ID = { type: ['string', 'number', 'boolean', 'null'] };
const RPC_PROPERTIES = { jsonrpc: { type: 'string', const: '2.0' }, id: RPC_ID };

/** The schema of a successful response by GET or POST. */
export function successSchema(result: object) {
  return {
    type: 'object',
    required: ['ok', 'result', '@extra'],
    properties: { ok: { type: 'boolean', const: true }, result, '@extra': PlainText() },
  };
}

/** The schema of an error. */
export const errorSchema = {
  title: 'Error',
  type: 'object',
  required: ['ok', 'error', 'code'],
  properties: {
    ok: { type: 'boolean', const: false },
    error: { type: 'string' },
    code: { type: 'integer', description: 'The same number as the HTTP status.' },
    '@extra': PlainText(),
    ...RPC_PROPERTIES,
  },
};

/** The schema of one response of JSON-RPC, successful or not. */
export const rpcResponseSchema = {
  type: 'object',
  required: ['ok'],
  properties: {
    ok: { type: 'boolean' },
    result: {},
    error: { type: 'string' },
    code: { type: 'integer' },
    '@extra': PlainText(),
    ...RPC_PROPERTIES,
  },
};

/** The schema of a successful response of JSON-RPC. */
export const rpcSuccessSchema = {
  title: 'JsonRpcSuccess',
  type: 'object',
  required: ['ok', 'result', '@extra', 'jsonrpc'],
  properties: {
    ok: { type: 'boolean', const: true },
    result: { description: 'The result of the operation.' },
    '@extra': PlainText(),
    ...RPC_PROPERTIES,
  },
};

/** The schema of one call of JSON-RPC. */
export function rpcCallSchema(methods: readonly string[]) {
  return {
    title: 'JsonRpcRequest',
    type: 'object',
    required: ['method'],
    properties: {
      jsonrpc: { type: 'string', description: '`2.0`; not checked.' },
      id: RPC_ID,
      method: { type: 'string', enum: methods },
      params: {
        type: ['object', 'null'],
        additionalProperties: true,
        description: 'The parameters of the operation.',
      },
    },
  };
}

/** One of them, or a batch. */
export function withBatch(schema: object, items = schema) {
  return { oneOf: [schema, { type: 'array', minItems: 1, items }] };
}

/** What the envelope has beside a result or an error. */
interface EnvelopeMembers {
  readonly extra: string;
  readonly rpc: RpcMembers;
}

/** A call by GET or POST. */
export const REST: RpcMembers = { jsonrpc: undefined, id: undefined };

/** `@extra` of responses that no operation had a part in. */
const NO_EXTRA = '_';

export function successResponse(
  result: JsonText,
  etag: string | undefined,
  { extra, rpc: { jsonrpc, id } }: EnvelopeMembers,
): V2Response {
  const body = { ok: true, result, '@extra': extra, jsonrpc, id } as const;
  return { status: 200, body, retryAfterSeconds: undefined, etag };
}

/** The response to an error that is logged already, or need not be. */
export function refusalResponse(
  { status, text, retryAfterSeconds }: PublicError,
  { extra, rpc: { jsonrpc, id } }: EnvelopeMembers,
): V2Response {
  const body = { ok: false, error: text, code: status, '@extra': extra, jsonrpc, id } as const;
  return { status, body, retryAfterSeconds, etag: undefined };
}

/** The response to anything thrown; an unexpected error is logged. */
export function errorResponse(
  error: unknown,
  { log, extra = NO_EXTRA, rpc = REST }: { log: Log } & Partial<EnvelopeMembers>,
): V2Response {
  return refusalResponse(logUnexpected(error, log), { extra, rpc });
}

/** What an error becomes in a response; an unexpected one is logged. */
export function logUnexpected(error: unknown, log: Log): PublicError {
  const edge = publicErrorOf(error);
  if (edge.unexpected) log.error({ err: error }, 'Unexpected error');
  return edge;
}

interface ExtraParts {
  readonly unixSeconds: number;
  /** Positions of the lite servers that were used. */
  readonly workers: readonly number[];
  readonly elapsedMs: number;
  readonly cached: boolean;
}

/** `<unix seconds>:<lite servers or _>:<elapsed ms>[:c]`, with at most six significant digits of time. */
export function formatExtra({ unixSeconds, workers, elapsedMs, cached }: ExtraParts): string {
  // Whole microseconds below a second have at most six digits; `toPrecision` is needed from there on.
  const elapsed = elapsedMs < 1000 ? Math.round(elapsedMs * 1000) / 1000 : Number(elapsedMs.toPrecision(6));
  return `${Math.floor(unixSeconds)}:${workers.length === 0 ? '_' : workers.join(',')}:${elapsed}${cached ? ':c' : ''}`;
}
