import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createProtocolDecoder } from '../actions/layouts.ts';
import type { BodyDecoder } from '../chain/messages/body-decoder.ts';
import { sendNotModified, tagOfDigest, type WrittenBody, writeBody } from '../http/body.ts';
import { addDocs, type LocalDocs } from '../http/docs.ts';
import { addRouteErrors } from '../http/errors.ts';
import { type DocumentOptions, sharedErrors, strictHeader } from '../http/openapi.ts';
import {
  createRouteSchemas,
  emulatorHooks,
  type InterfaceStyle,
  listUnknownNames,
  type Operation,
  UNKNOWN_PARAMS,
  validateWith,
} from '../http/operation.ts';
import { USUAL_BODY_BYTES } from '../http/request.ts';
import { compileParts } from '../http/serializer.ts';
import { ReadyCache } from '../index/read/ready-cache.ts';
import { ClientDisconnects, untilDisconnected } from '../lib/client-disconnects.ts';
import { NextFlight } from '../lib/next-flight.ts';
import { createDecodedBodies } from './decoded-bodies.ts';
import {
  addV3Errors,
  addV3Responses,
  escapeJson,
  requireRevalidation,
  setResultHeaders,
  V3_VERSION,
  v3ErrorSchema,
} from './envelope.ts';
import { checkOffset } from './list-parameters.ts';
import type { ListLimits, V3Call, V3Ports, V3ResponseNotes } from './operation.ts';
import { createV3Operations } from './operations.ts';
import PARAMETER_EXAMPLES from './parameter-examples.json' with { type: 'json' };
import {
  bodyValues,
  createUnknownNames,
  MAX_INT32,
  queryValues,
  type RequestValues,
  readParams,
  readRequestOptions,
  type V3RequestOptions,
} from './parameters.ts';
import { createReads, type ReadOptions, type Reads } from './read-index.ts';
import { toSwagger2 } from './swagger2.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Options of the request beside the parameters of the operation. */
    v3Options: V3RequestOptions;
    /** Facts for the headers of the response. */
    v3Notes: V3ResponseNotes | null;
  }
}

export interface V3InterfaceOptions {
  readonly ports: V3Ports;
  readonly limits: ListLimits;
  /** Whether unknown parameters are refused for every caller. */
  readonly isStrict?: boolean;
  /** Operations to serve; all of v3 by default. */
  readonly operations?: readonly Operation<V3Call>[];
  readonly localDocs?: LocalDocs | undefined;
  /** How much may be read, and how much at the same time; without limits if left out. */
  readonly reads?: ReadOptions;
  /** The largest offset of callers with a plan, null for those without a key; undefined for no limit. */
  readonly maxOffsetOf?: (plan: string | null) => number | undefined;
  /** How many processes share the memory of its cache. */
  readonly cacheParts?: number | undefined;
}

/** A thousand addresses in their longest form, with a long name of the parameter before each, are 97 kB. */
const SIZE_LIMITS = { urlBytes: 120 * 1024, headerBytes: 65536 };

/** The v3 interface as a plugin; the application registers it below its prefix. */
export function createV3Interface(options: V3InterfaceOptions): FastifyPluginAsync {
  const { ports, limits, isStrict = false, operations = createV3Operations(limits) } = options;
  const shared = {
    ports,
    decoder: createProtocolDecoder(),
    disconnects: new ClientDisconnects(),
    reads: createReads(options.reads),
    maxOffsetOf: options.maxOffsetOf ?? (() => undefined),
    cache: new ReadyCache(options.cacheParts),
    isStrict,
  };
  return async (app) => {
    app.decorateRequest('v3Options');
    app.decorateRequest('v3Notes', null);
    addV3Errors(app);
    addRouteErrors(app, () => 'Method Not Allowed');
    await addDocs(app, { ...document, files: { 'doc.json': toSwagger2 }, local: options.localDocs });
    addV3Responses(app);
    for (const operation of operations) addOperation(app, operation, shared);
  };
}

interface Shared {
  readonly ports: V3Ports;
  readonly decoder: BodyDecoder;
  readonly disconnects: ClientDisconnects;
  readonly reads: Reads;
  readonly maxOffsetOf: (plan: string | null) => number | undefined;
  readonly cache: ReadyCache;
  readonly isStrict: boolean;
}

function addOperation(app: FastifyInstance, operation: Operation<V3Call>, shared: Shared): void {
  const { ports, decoder, disconnects, reads, maxOffsetOf, cache, isStrict } = shared;
  const write = compileParts(operation.result);
  const flights = new NextFlight<Answer>();
  const unknownNames = createUnknownNames(operation);
  /** Before the parameters: they are about the whole request. */
  const readOptions = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const query = queryValues(request.query);
    const isPost = request.method === 'POST';
    const sent = isPost ? bodyValues(request.body) : query;
    request.v3Options = readRequestOptions(request.headers, query, isPost ? sent : undefined, isStrict);
    const unknown = unknownNames.find(sent);
    if (isPost) {
      request.body = sent;
      unknown.push(...unknownNames.findBesideBody(query));
    } else request.query = query;
    if (unknown.length === 0) done();
    else if (request.v3Options.isStrict) done(unknownNames.refuse(unknown[0]!));
    else {
      reply.header(UNKNOWN_PARAMS, listUnknownNames(unknown));
      done();
    }
  };
  const run = async (request: FastifyRequest, reply: FastifyReply, params: Record<string, unknown>) => {
    const { log, startedAtMs, liteGroup: group, payer, keyId, keyPlan, v3Options: options } = request;
    checkOffset(params, maxOffsetOf(keyPlan));
    const notes: V3ResponseNotes = {};
    request.v3Notes = notes;
    const caller = { group, client: request.raw.socket, startedAtMs, payer };
    const bodies = createDecodedBodies(decoder);
    return untilDisconnected(caller.client, disconnects, async (signal) => {
      const answer = () =>
        reads.run({ payer, signal, params }, async (own): Promise<Answer> => {
          const call = { ports, log, caller, keyId, signal, reads: own, options, cache, bodies, notes };
          const result = await operation.handler(params, call);
          return { body: await writeBody(write, result, { signal, finish: escapeJson }), notes };
        });
      const { body, notes: told } = isShared(request)
        ? await flights.run(sharedKey(request), answer)
        : await answer();
      request.v3Notes = told;
      setResultHeaders(request, reply, told);
      if (isTagged && request.method !== 'POST') reply.header('etag', tagOfDigest(body.digest));
      if (body.bytes !== undefined) reply.header('content-length', body.bytes);
      return body;
    });
  };
  const isTagged = operation.cache !== 'none';
  /** Clients poll over many connections: equal requests that wait together are answered by one read of the index. */
  const isShared = ({ method, v3Options }: FastifyRequest) =>
    isTagged && method !== 'POST' && !v3Options.debug;
  const schemaOf = createRouteSchemas(operation, style);
  for (const name of [operation.name, ...(operation.aliases ?? [])])
    for (const method of operation.methods) {
      const isGet = method === 'GET';
      app.route({
        method,
        // Letter case does not count below this prefix: URLs arrive in lower case.
        url: `/${name.toLowerCase()}`,
        config: {
          operation: operation.name,
          interface: 'v3',
          limits: SIZE_LIMITS,
          documentedUrl: `${app.prefix}/${name}`,
        },
        bodyLimit: operation.maxBodyBytes ?? USUAL_BODY_BYTES,
        schema: schemaOf(name, method),
        preValidation: readOptions,
        preHandler: emulatorHooks(operation, ports.emulatorVersion),
        validatorCompiler: validateWith(isGet ? 'querystring' : 'body', (sent) =>
          readParams(operation, sent as RequestValues),
        ),
        ...(isGet && isTagged && { onSend: [requireRevalidation, sendNotModified] }),
        handler: (request, reply) =>
          run(request, reply, (isGet ? request.query : request.body) as Record<string, unknown>),
      });
    }
}

/** A written response, and what its headers tell. */
interface Answer {
  readonly body: WrittenBody;
  readonly notes: V3ResponseNotes;
}

/** All that a response depends on besides the index, and who pays: nobody waits in the place of another caller's request. */
function sharedKey({ url, payer, liteGroup = '', v3Options }: FastifyRequest): string {
  const { timeoutMs, noAddressBook, noMetadata, actionsVersion = '' } = v3Options;
  const options = `${timeoutMs} ${noAddressBook} ${noMetadata} ${actionsVersion}`;
  return `${payer?.id} ${liteGroup} ${options} ${url}`;
}

const errors = {
  schema: v3ErrorSchema,
  texts: { ...sharedErrors, 504: 'The time allowed for the request is over' },
};

function switchHeader(description: string) {
  return { type: 'boolean', default: false, description };
}

const style: InterfaceStyle = {
  envelope: (result) => result,
  exampleBody: (result) => result,
  errors,
  // Each has a twin in the query.
  headers: {
    'X-Timeout': {
      type: 'integer',
      minimum: 1,
      maximum: 3000,
      default: 3000,
      description: 'Longest time of a database statement in ms. Twin: `x_timeout`.',
    },
    'X-No-Address-Book': switchHeader('Leave every `address_book` empty. Twin: `x_no_address_book`.'),
    'X-No-Metadata': switchHeader('Leave every `metadata` empty. Twin: `x_no_metadata`.'),
    'X-Debug-Request': switchHeader(
      'Write the database statements of the request to the log of the server. Twin: `x_debug_request`.',
    ),
    ...strictHeader,
  },
  query: {
    min_seqno: {
      type: 'integer',
      minimum: 0,
      maximum: Number(MAX_INT32),
      examples: [PARAMETER_EXAMPLES.min_seqno],
      description:
        'Wait until the index has this masterchain seqno, at most 10 s. The header `X-Tongate-Seqno` of a response says which one it has.',
    },
  },
  parameterExamples: PARAMETER_EXAMPLES,
};

const tags = {
  blockchain: 'Blocks, transactions and messages.',
  accounts: 'States of accounts, the address book and token metadata.',
  stats: 'Statistics of the chain.',
  'api/v2': 'Operations that ask lite servers, in the manner of v2.',
  actions: 'Traces, and what happened in them.',
  dns: 'Domains.',
  vesting: 'Vesting contracts.',
  staking: 'Nominator pools: who staked how much, and what it earned.',
  nfts: 'NFT items, collections, transfers and sales.',
  jettons: 'Jettons, their wallets, transfers and burns.',
  multisig: 'Multisig wallets and their orders.',
  utils: 'Decoding of opcodes and message bodies.',
  service: 'For clients that test how parameters are read.',
};

const document: DocumentOptions = {
  title: 'tongate v3',
  version: V3_VERSION,
  description: 'Indexed data of the TON blockchain. Parameter names are case-insensitive.',
  tags,
  errors,
};
