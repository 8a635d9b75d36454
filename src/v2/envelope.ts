import { type PublicError, publicErrorOf } from '../http/errors.ts';
import {
  type DocumentOptions,
  describedAs,
  errorResponses,
  sharedErrors,
  strictHeader,
} from '../http/openapi.ts';
import type { InterfaceStyle, Operation } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import type { JsonText } from '../lib/json-text.ts';
import type { Log } from '../lib/log.ts';
import PARAMETER_EXAMPLES from './parameter-examples.json' with { type: 'json' };

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

export function successSchema(result: object) {
  return {
    type: 'object',
    required: ['ok', 'result', '@extra'],
    properties: { ok: { type: 'boolean', const: true }, result, '@extra': PlainText() },
  };
}

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

/** `2.<variant>.<patch>`: 0 and 1 are the variants of the two earlier v2 services, 2 is ours. */
export const V2_VERSION = '2.2.0';

const EXAMPLE_EXTRA = '1755516054:_:0.114';
const errors = {
  schema: errorSchema,
  texts: {
    ...sharedErrors,
    504: 'Lite servers did not respond in time, or the request took too long',
    542: 'No suitable lite server',
  },
};

const tags = {
  utils: 'Forms of addresses and hashes.',
  accounts: 'Balances, states, wallets, tokens and domains.',
  blocks: 'Blocks, shards, signatures and proofs.',
  transactions: 'Transactions of accounts and of blocks.',
  config: 'Parameters and libraries of the chain.',
  'get-methods': 'Get-methods of contracts.',
  send: 'External messages and their fees.',
  'json-rpc': 'All operations under one path.',
  service: 'State of the server.',
};

export const v2Style: InterfaceStyle = {
  envelope: (result, title) => ({ ...successSchema(result), title }),
  exampleBody: (result) => ({ ok: true, result, '@extra': EXAMPLE_EXTRA }),
  errors,
  headers: strictHeader,
  parameterExamples: PARAMETER_EXAMPLES,
};

export const v2Document: DocumentOptions = {
  title: 'tongate v2',
  version: V2_VERSION,
  description:
    'Live data from TON lite servers. Operations are available by GET, POST and JSON-RPC. Responses that can never change ' +
    'have an `ETag` by GET; a request with a matching `If-None-Match` gets 304 without a body.',
  tags,
  errors,
};

/** A call of a batch may fail while the response is 200. */
const rpcBatchItem = { title: 'JsonRpcResponse', oneOf: [rpcSuccessSchema, errorSchema] };

/**
 * The schema of the route of JSON-RPC; `names` are those of all operations. A single call has the status of its operation.
 */
export function rpcSchema(names: readonly string[], operations: Iterable<Pick<Operation<never>, 'errors'>>) {
  const ofOperations = [...operations]
    .flatMap(({ errors: own = [] }) => own)
    .filter(({ code }) => !(code in errors.texts))
    .map(({ code }) => ({ code, when: 'An error of the operation, which says when' }));
  return {
    operationId: 'jsonRPC_post',
    tags: ['json-rpc'],
    summary: 'Call any operation by JSON-RPC',
    description:
      'Returns the envelope of the operation plus `jsonrpc` and the `id` of the request. An array of calls is answered with an array in the same order; each call counts against the rate limit.',
    body: {
      ...withBatch(rpcCallSchema(names)),
      examples: [{ jsonrpc: '2.0', id: 1, method: 'getAddressBalance', params: { address: '{alice}' } }],
    },
    response: {
      200: describedAs('Success', withBatch(rpcSuccessSchema, rpcBatchItem)),
      ...errorResponses(errors, ofOperations),
    },
  };
}

const { 503: unavailable } = errorResponses(errors);

export const healthcheckSchema = {
  operationId: 'healthcheck_get',
  tags: ['service'],
  security: [{}],
  summary: 'Check that a lite server is live',
  description: 'Requires no API key and does not count against the rate limit.',
  response: {
    200: describedAs('At least one lite server is live; the body is empty', { type: 'null' }),
    503: unavailable,
    '4xx': errorSchema,
    '5xx': errorSchema,
  },
};
