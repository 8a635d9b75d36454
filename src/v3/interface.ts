import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type BodyDecoder, createBodyDecoder } from '../chain/messages/body-decoder.ts';
import { addDocs } from '../http/docs.ts';
import { addRouteErrors } from '../http/errors.ts';
import { sendNotModified } from '../http/etag.ts';
import { sharedErrors, toOpenApi } from '../http/openapi.ts';
import { bodySchema, type Operation, querySchema, validateWith } from '../http/operation.ts';
import type { V3Call, V3Ports, V3ResponseNotes } from './call.ts';
import { createDecodedBodies } from './decoded-bodies.ts';
import {
  addV3Errors,
  addV3Responses,
  setResultHeaders,
  tagResult,
  V3_VERSION,
  v3ErrorSchema,
} from './envelope.ts';
import { createV3Operations } from './operations.ts';
import type { PageLimits } from './pages.ts';
import { bodyValues, queryValues, readParams, readRequestOptions, type V3RequestOptions } from './request.ts';
import { toSwagger2 } from './swagger2.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Options of the request beside the parameters of the operation. */
    v3Options: V3RequestOptions;
  }
}

export interface V3InterfaceOptions {
  readonly ports: V3Ports;
  readonly limits: PageLimits;
  /** Operations to serve; all of v3 by default. */
  readonly operations?: readonly Operation<V3Call>[];
}

const MIB = 1024 * 1024;
const MAX_BODY_BYTES = 4 * MIB;
/** URLs contain long lists of addresses. */
const SIZE_LIMITS = { urlBytes: MIB, headerBytes: MIB };

/** The v3 interface as a plugin; the application registers it below its prefix. */
export function createV3Interface(options: V3InterfaceOptions): FastifyPluginAsync {
  const { ports, limits, operations = createV3Operations(limits) } = options;
  const document = v3Document(operations);
  const decoder = createBodyDecoder();
  return async (app) => {
    app.decorateRequest('v3Options');
    addV3Errors(app);
    addRouteErrors(app, () => 'Method Not Allowed');
    await addDocs(app, { title: 'tongate v3', document, files: { 'doc.json': toSwagger2(document) } });
    addV3Responses(app);
    for (const operation of operations) addOperation(app, operation, ports, decoder);
  };
}

function addOperation(
  app: FastifyInstance,
  operation: Operation<V3Call>,
  ports: V3Ports,
  decoder: BodyDecoder,
): void {
  const run = async (request: FastifyRequest, reply: FastifyReply, params: Record<string, unknown>) => {
    const { log, startedAtMs, liteGroup: group, payer, v3Options: options } = request;
    const notes: V3ResponseNotes = {};
    const caller = { group, client: request.raw.socket, startedAtMs, payer };
    const bodies = createDecodedBodies(decoder);
    const result = await operation.handler(params, { ports, log, caller, options, bodies, notes });
    setResultHeaders(request, reply, notes);
    return result;
  };
  const response = { 200: operation.result, '4xx': v3ErrorSchema, '5xx': v3ErrorSchema };
  for (const name of [operation.name, ...(operation.aliases ?? [])]) {
    const route = {
      // Letter case does not count below this prefix: URLs arrive in lower case.
      url: `/${name.toLowerCase()}`,
      config: { operation: operation.name, interface: 'v3', limits: SIZE_LIMITS },
      preValidation: readOptions,
    };
    if (operation.methods.includes('GET')) {
      app.route({
        ...route,
        method: 'GET',
        schema: { querystring: querySchema(operation), response },
        validatorCompiler: validateWith((query) => readParams(operation, queryValues(query))),
        ...(operation.cache !== 'none' && { onSend: [tagResult, sendNotModified] }),
        handler: (request, reply) => run(request, reply, request.query as Record<string, unknown>),
      });
    }
    if (operation.methods.includes('POST')) {
      app.route({
        ...route,
        method: 'POST',
        bodyLimit: MAX_BODY_BYTES,
        schema: { body: bodySchema(operation), response },
        validatorCompiler: validateWith((body) => readParams(operation, bodyValues(body))),
        handler: (request, reply) => run(request, reply, request.body as Record<string, unknown>),
      });
    }
  }
}

/** Before the parameters: a timeout that is over comes before everything else. */
function readOptions(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.v3Options = readRequestOptions(request.headers, queryValues(request.query));
  done();
}

const commonErrors = { ...sharedErrors, 504: 'The time allowed for the request is over' };

const switchSchema = { type: 'boolean', default: false };

/** Headers that every operation accepts; each has a twin in the query. */
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

/** The OpenAPI document of the operations. */
export function v3Document(operations: readonly Operation<V3Call>[]): Record<string, unknown> {
  return toOpenApi({
    title: 'tongate v3',
    version: V3_VERSION,
    description: 'Indexed data of the TON blockchain. Parameter names are case-insensitive.',
    prefix: '/api/v3',
    operations,
    envelope: (result) => ({ ...result }),
    exampleBody: (result) => result,
    errorSchema: { ...v3ErrorSchema },
    commonErrors,
    commonParameters,
  });
}
