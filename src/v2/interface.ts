import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from '../http/entity-tag.ts';
import type { Gate } from '../http/gate.ts';
import { sendJson, sendNotModified } from '../http/json-reply.ts';
import type { ParameterOrigin } from '../http/operation.ts';
import { addDocs } from '../http/plugins/docs.ts';
import { addRouteRefusals } from '../http/route-refusals.ts';
import { Deadlines } from '../lib/deadlines.ts';
import { HangUps } from '../lib/hang-ups.ts';
import type { LitePool } from '../lite/pool.ts';
import type { LivePorts } from '../live/session.ts';
import { type AnswerCache, createAnswerCache } from './cache.ts';
import { type Answer, failureAnswer } from './envelope.ts';
import { type Invocable, makeInvocable } from './invoke.ts';
import { createJsonRpc } from './json-rpc.ts';
import { V2_VERSION, v2Document } from './openapi.ts';
import { v2Operations } from './operations.ts';

interface V2Options {
  readonly ports: LivePorts;
  readonly gate: Pick<Gate, 'charge'>;
  /** Most calls in one JSON-RPC batch. */
  readonly maxBatch: number;
  /** Where answers are kept, for those who have to clear it. */
  readonly cache?: AnswerCache;
}

const BODY_BYTES = 1024 * 1024;
const LIMITS = { urlBytes: 8192, headerBytes: 65536 };
const RPC = 'jsonRPC';
/** What goes for now must not be kept by anybody on the way. */
const HEADERS = { 'x-api-version': V2_VERSION, 'cache-control': 'no-store' };
/**
 * What can never change may be kept, and is asked for again each time by its tag: the question passes the checks of key
 * and rate, and a local chain that was reset is noticed.
 */
const LASTING_HEADERS = {
  'x-api-version': V2_VERSION,
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
};

/** The v2 interface as a plugin: routes for every operation by GET and POST, JSON-RPC, docs, and its envelope. */
export function createV2Interface(options: V2Options): FastifyPluginAsync {
  return async (app) => {
    const invocables = new Map<string, Invocable>();
    const { ports, cache = createAnswerCache() } = options;
    const parts = { ports, cache, deadlines: new Deadlines(), hangUps: new HangUps() };
    for (const operation of v2Operations) {
      const invocable = makeInvocable(operation, parts);
      for (const name of [operation.name, ...(operation.aliases ?? [])]) invocables.set(name, invocable);
    }
    addRefusals(app);
    addHealthcheck(app, () => options.ports.pool(undefined));
    for (const [name, invocable] of invocables) addRoutes(app, name, invocable);
    addRpcRoute(app, invocables, options);
    await addDocs(app, { title: 'tongate v2', document: v2Document() });
  };
}

function answer(reply: FastifyReply, { status, body, retryAfterSeconds, etag }: Answer): FastifyReply {
  const { request } = reply;
  if (status !== 200) reply.code(status);
  if (retryAfterSeconds !== undefined) request.head?.header('retry-after', retryAfterSeconds);
  if (etag === undefined || request.method === 'POST') return sendJson(reply, body, HEADERS);
  const headers = { ...LASTING_HEADERS, etag };
  return namesTag(request.headers['if-none-match'], etag)
    ? sendNotModified(reply, headers)
    : sendJson(reply, body, headers);
}

function send(reply: FastifyReply, result: Answer | Promise<Answer>): FastifyReply | Promise<FastifyReply> {
  return result instanceof Promise ? result.then((value) => answer(reply, value)) : answer(reply, result);
}

function addRoutes(app: FastifyInstance, name: string, { operation, invoke }: Invocable): void {
  const config = { interface: 'v2', operation: operation.name, limits: LIMITS };
  const run = (
    request: FastifyRequest,
    reply: FastifyReply,
    given: unknown,
    origin: ParameterOrigin,
  ): FastifyReply | Promise<FastifyReply> => {
    const { log, startedAtMs, liteGroup: group } = request;
    const client = request.raw.socket;
    return send(
      reply,
      invoke({ given, origin, isRpc: false, log, startedAtMs, client, group, caller: request, rpc: '' }),
    );
  };
  if (operation.methods.includes('GET')) {
    app.get(`/${name}`, { config }, (request, reply) => run(request, reply, request.query, 'query'));
  }
  if (operation.methods.includes('POST')) {
    const options = { config, bodyLimit: BODY_BYTES };
    app.post(`/${name}`, options, (request, reply) => run(request, reply, request.body, 'body'));
  }
}

function addRpcRoute(
  app: FastifyInstance,
  invocables: ReadonlyMap<string, Invocable>,
  options: V2Options,
): void {
  const callRpc = createJsonRpc({ invocables, maxBatch: options.maxBatch });
  app.post(
    `/${RPC}`,
    { config: { interface: 'v2', operation: RPC, limits: LIMITS }, bodyLimit: BODY_BYTES },
    (request, reply) => {
      const result = callRpc(request.body, {
        log: request.log,
        startedAtMs: request.startedAtMs,
        client: request.raw.socket,
        group: request.liteGroup,
        caller: request,
        charge: () => options.gate.charge(request),
        onOperation: (name) => {
          request.calledOperation = name;
        },
      });
      return send(reply, result);
    },
  );
}

function addRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answer(reply, failureAnswer(error, { log: request.log })));
  addRouteRefusals(app, ({ url, method }) =>
    url.startsWith(`${app.prefix}/${RPC}`)
      ? `method ${method} is not supported`
      : `unsupported http method: ${method}`,
  );
}

/**
 * Adds `GET /healthcheck`: 200 with nothing in it while a lite server of everybody's is live, else 503. It needs no key
 * and counts against no limit.
 */
function addHealthcheck(app: FastifyInstance, pool: () => Pick<LitePool, 'check'>): void {
  const config = { gated: false, interface: 'v2', operation: 'healthcheck' };
  app.get('/healthcheck', { config }, async (_request, reply) => {
    await pool().check();
    return reply.headers({ 'x-api-version': V2_VERSION, 'cache-control': 'no-store' }).send();
  });
}
