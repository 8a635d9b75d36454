import { sharedErrors, toOpenApi } from '../http/openapi.ts';
import { errorSchema, rpcCallSchema, rpcResponseSchema, successSchema, withBatch } from './envelope.ts';
import { v2Operations } from './operations.ts';

const PREFIX = '/api/v2';
const EXAMPLE_EXTRA = '1755516054:_:0.114';
const commonErrors = {
  ...sharedErrors,
  504: 'Lite servers did not answer in time, or the time for the whole request was over',
  542: 'No lite server suits the request',
};

/** The OpenAPI document of v2. */
export function v2Document(): Record<string, unknown> {
  return toOpenApi({
    title: 'tongate v2',
    version: V2_VERSION,
    description:
      'Live answers from TON lite servers. Operations by GET, POST and JSON-RPC. An answer that can never change has an ' +
      '`ETag` by GET: one who sends it as `If-None-Match` gets 304 without a body.',
    prefix: PREFIX,
    operations: v2Operations,
    envelope: successSchema,
    exampleBody: (result) => ({ ok: true, result, '@extra': EXAMPLE_EXTRA }),
    errorSchema,
    commonErrors,
    extraPaths: { [`${PREFIX}/jsonRPC`]: jsonRpcPath(), [`${PREFIX}/healthcheck`]: healthcheckPath },
  });
}

function jsonRpcPath(): Record<string, unknown> {
  const names = v2Operations.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]);
  const first = v2Operations[0]!;
  return {
    post: {
      operationId: 'jsonRPC_post',
      tags: ['json-rpc'],
      summary: 'Any operation as a JSON-RPC call',
      description:
        'Answers with the envelope of the operation plus `jsonrpc` and the `id` that was sent. An array of calls is answered by an array in the same order; each call counts against the rate.',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: withBatch(rpcCallSchema(names)),
            example: { jsonrpc: '2.0', id: 1, method: first.name, params: first.examples[0]?.params ?? {} },
          },
        },
      },
      responses: {
        200: {
          description: 'Success',
          content: { 'application/json': { schema: withBatch(rpcResponseSchema) } },
        },
        ...Object.fromEntries(
          Object.keys(commonErrors).map((code) => [code, { $ref: `#/components/responses/Error${code}` }]),
        ),
      },
    },
  };
}

/** The same for the OpenAPI document. */
const healthcheckPath = {
  get: {
    operationId: 'healthcheck_get',
    tags: ['service'],
    security: [{}],
    summary: 'Whether a lite server can be asked',
    description: 'Needs no key and counts against no limit.',
    responses: {
      200: { description: 'At least one lite server is live; the body is empty' },
      503: { $ref: '#/components/responses/Error503' },
    },
  },
};

/** `2.<variant>.<patch>`: 0 and 1 are the variants of the two services that spoke v2 before, 2 is ours. */
export const V2_VERSION = '2.2.0';
