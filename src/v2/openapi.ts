import type { ExampleValues } from '../http/example-values.ts';
import { sharedErrors, strictParameter, toOpenApi } from '../http/openapi.ts';
import { errorSchema, rpcCallSchema, rpcSuccessSchema, successSchema, withBatch } from './envelope.ts';
import { PARAMETER_EXAMPLES } from './examples.ts';
import { v2Operations } from './operations.ts';

const PREFIX = '/api/v2';
const EXAMPLE_EXTRA = '1755516054:_:0.114';
const commonErrors = {
  ...sharedErrors,
  504: 'Lite servers did not respond in time, or the request took too long',
  542: 'No suitable lite server',
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

/** The OpenAPI document of v2, with the values of its examples. */
export function v2Document(values?: ExampleValues): Record<string, unknown> {
  return toOpenApi({
    title: 'tongate v2',
    version: V2_VERSION,
    description:
      'Live data from TON lite servers. Operations are available by GET, POST and JSON-RPC. Responses that can never change ' +
      'have an `ETag` by GET; a request with a matching `If-None-Match` gets 304 without a body.',
    prefix: PREFIX,
    tags,
    operations: v2Operations,
    envelope: (result, title) => ({ ...successSchema(result), title }),
    exampleBody: (result) => ({ ok: true, result, '@extra': EXAMPLE_EXTRA }),
    errorSchema,
    commonErrors,
    commonParameters: [strictParameter],
    parameterExamples: PARAMETER_EXAMPLES,
    values,
    extraPaths: { [`${PREFIX}/jsonRPC`]: jsonRpcPath(), [`${PREFIX}/healthcheck`]: healthcheckPath },
  });
}

/** A call of a batch may fail while the response is 200. */
const rpcBatchItem = { title: 'JsonRpcResponse', oneOf: [rpcSuccessSchema, errorSchema] };

function jsonRpcPath(): Record<string, unknown> {
  const names = v2Operations.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]);
  return {
    post: {
      operationId: 'jsonRPC_post',
      tags: ['json-rpc'],
      summary: 'Call any operation by JSON-RPC',
      description:
        'Returns the envelope of the operation plus `jsonrpc` and the `id` of the request. An array of calls is answered with an array in the same order; each call counts against the rate limit.',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: withBatch(rpcCallSchema(names)),
            example: { jsonrpc: '2.0', id: 1, method: 'getAddressBalance', params: { address: '{alice}' } },
          },
        },
      },
      responses: {
        200: {
          description: 'Success',
          content: { 'application/json': { schema: withBatch(rpcSuccessSchema, rpcBatchItem) } },
        },
        ...Object.fromEntries(
          Object.keys(commonErrors).map((code) => [code, { $ref: `#/components/responses/Error${code}` }]),
        ),
      },
    },
  };
}

const healthcheckPath = {
  get: {
    operationId: 'healthcheck_get',
    tags: ['service'],
    security: [{}],
    summary: 'Check that a lite server is live',
    description: 'Requires no API key and does not count against the rate limit.',
    responses: {
      200: { description: 'At least one lite server is live; the body is empty' },
      503: { $ref: '#/components/responses/Error503' },
    },
  },
};

/** `2.<variant>.<patch>`: 0 and 1 are the variants of the two earlier v2 services, 2 is ours. */
export const V2_VERSION = '2.2.0';
