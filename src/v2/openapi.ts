import {
  type DocumentOptions,
  describedAs,
  errorResponses,
  sharedErrors,
  strictHeader,
} from '../http/openapi.ts';
import type { InterfaceStyle } from '../http/operation-schemas.ts';
import { errorSchema, rpcCallSchema, rpcSuccessSchema, successSchema, withBatch } from './envelope.ts';
import { PARAMETER_EXAMPLES } from './examples.ts';

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

/** What the routes of all operations have in common. */
export const v2Style: InterfaceStyle = {
  envelope: (result, title) => ({ ...successSchema(result), title }),
  exampleBody: (result) => ({ ok: true, result, '@extra': EXAMPLE_EXTRA }),
  errors,
  headers: strictHeader,
  parameterExamples: PARAMETER_EXAMPLES,
};

/** What the OpenAPI document has beside the routes. */
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

/** The schema of the route of JSON-RPC; `names` are those of all operations. */
export function rpcSchema(names: readonly string[]) {
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
      ...errorResponses(errors),
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
