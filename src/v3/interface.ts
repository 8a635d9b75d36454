import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type BodyDecoder, createBodyDecoder } from '../chain/messages/body-decoder.ts';
import { sharedErrors, toOpenApi } from '../http/openapi.ts';
import type { Operation } from '../http/operation.ts';
import { addDocs } from '../http/plugins/docs.ts';
import { addRouteRefusals } from '../http/route-refusals.ts';
import { compileSerializer } from '../http/serializer.ts';
import type { V3AnswerNotes, V3Call, V3Ports } from './call.ts';
import { createDecodedBodies } from './decoded-bodies.ts';
import { addV3Envelope, sendV3Result, V3_VERSION, v3ErrorSchema } from './envelope.ts';
import { createV3Operations } from './operations.ts';
import type { PageLimits } from './pages.ts';
import { bodyValues, queryValues, readParams, readRequestOptions } from './request.ts';
import { toSwagger2 } from './swagger2.ts';

export interface V3InterfaceOptions {
  readonly ports: V3Ports;
  readonly limits: PageLimits;
  /** Operations to serve; all of v3 unless told otherwise. */
  readonly operations?: readonly Operation<V3Call>[];
}

const MIB = 1024 * 1024;
const MAX_BODY_BYTES = 4 * MIB;
/** Long lists of addresses come in the URL. */
const SIZE_LIMITS = { urlBytes: MIB, headerBytes: MIB };

/** The v3 interface as a plugin; the application registers it below its prefix. */
export function createV3Interface(options: V3InterfaceOptions): FastifyPluginAsync {
  const { ports, limits, operations = createV3Operations(limits) } = options;
  const document = v3Document(operations);
  const decoder = createBodyDecoder();
  return async (app) => {
    addV3Envelope(app);
    addRouteRefusals(app, () => 'Method Not Allowed');
    for (const operation of operations) addOperation(app, operation, ports, decoder);
    await addDocs(app, { title: 'tongate v3', document, files: { 'doc.json': toSwagger2(document) } });
  };
}

function addOperation(
  app: FastifyInstance,
  operation: Operation<V3Call>,
  ports: V3Ports,
  decoder: BodyDecoder,
): void {
  const serialize = compileSerializer(operation.result);
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const query = queryValues(request.query);
    const answer: V3AnswerNotes = {};
    const { log, startedAtMs, liteGroup: group, payer } = request;
    const caller = { group, client: request.raw.socket, startedAtMs, payer };
    const options = readRequestOptions(request.headers, query);
    const call = { ports, log, caller, options, bodies: createDecodedBodies(decoder), answer };
    const values = request.method === 'POST' ? bodyValues(request.body) : query;
    const result = await operation.handler(readParams(operation, values), call);
    return sendV3Result(reply, serialize(result), answer, operation.cache !== 'none');
  };
  for (const name of [operation.name, ...(operation.aliases ?? [])]) {
    app.route({
      method: [...operation.methods],
      // Letter case does not count below this prefix: requests arrive here in lower case.
      url: `/${name.toLowerCase()}`,
      bodyLimit: MAX_BODY_BYTES,
      exposeHeadRoute: operation.methods.includes('GET'),
      config: { operation: operation.name, interface: 'v3', limits: SIZE_LIMITS },
      handler,
    });
  }
}

const commonErrors = { ...sharedErrors, 504: 'The time allowed for the request is over' };

const switchSchema = { type: 'boolean', default: false };

/** Headers that every operation takes; each has a twin in the query. */
const commonParameters = [
  {
    name: 'X-Timeout',
    in: 'header',
    required: false,
    description: 'Longest time of a database statement in ms. Twin: `x_timeout`.',
    schema: { type: 'integer', maximum: 3000, default: 3000 },
  },
  {
    name: 'X-No-Address-Book',
    in: 'header',
    required: false,
    description: 'Leave every `address_book` empty. Twin: `x_no_address_book`.',
    schema: switchSchema,
  },
  {
    name: 'X-No-Metadata',
    in: 'header',
    required: false,
    description: 'Leave every `metadata` empty. Twin: `x_no_metadata`.',
    schema: switchSchema,
  },
];

/** The OpenAPI document of v3 for the operations served. */
export function v3Document(operations: readonly Operation<V3Call>[]): Record<string, unknown> {
  return toOpenApi({
    title: 'tongate v3',
    version: V3_VERSION,
    description: 'Answers from the index of the TON blockchain. Parameter names ignore letter case.',
    prefix: '/api/v3',
    operations,
    envelope: (result) => ({ ...result }),
    exampleBody: (result) => result,
    errorSchema: { ...v3ErrorSchema },
    commonErrors,
    commonParameters,
  });
}
