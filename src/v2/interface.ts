import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { sendNotModified } from '../http/body.ts';
import { addDocs, type LocalDocs } from '../http/docs.ts';
import { addRouteErrors, withBodyLimit } from '../http/errors.ts';
import {
  createNameCheck,
  createRouteSchemas,
  createRpcNameCheck,
  emulatorHooks,
  validateWith,
} from '../http/operation.ts';
import { USUAL_BODY_BYTES } from '../http/request.ts';
import { compileEnvelope, compileSerializer } from '../http/serializer.ts';
import { ClientDisconnects } from '../lib/client-disconnects.ts';
import { Deadlines } from '../lib/deadlines.ts';
import type { LitePool } from '../lite/pool.ts';
import type { LivePorts } from '../live/session.ts';
import { createResultCache, type ResultCache } from './cache.ts';
import {
  errorResponse,
  type errorSchema,
  formatExtra,
  healthcheckSchema,
  REST,
  rpcResponseSchema,
  rpcSchema,
  V2_VERSION,
  type V2Response,
  v2Document,
  v2Style,
} from './envelope.ts';
import { type Invocable, type Invocation, makeInvocable, type OperationInput } from './invoke.ts';
import { createJsonRpc } from './json-rpc.ts';
import { v2Operations } from './operations.ts';

interface V2Options {
  readonly ports: LivePorts;
  readonly maxBatch: number;
  /** Told with predictions. */
  readonly emulatorVersion?: number;
  /** The cache of results, for those who have to clear it. */
  readonly cache?: ResultCache;
  /** Whether unknown parameters are refused for every caller. */
  readonly isStrict?: boolean;
  readonly localDocs?: LocalDocs | undefined;
}

const LIMITS = { urlBytes: 8192, headerBytes: 65536 };
const RPC = 'jsonRPC';
/** A call can be of any operation, and a batch has many. */
const RPC_BODY_BYTES = Math.max(...v2Operations.map(({ maxBodyBytes = 0 }) => maxBodyBytes));

/** The v2 interface as a plugin: routes for every operation by GET and POST, JSON-RPC, docs, and its envelope. */
export function createV2Interface(options: V2Options): FastifyPluginAsync {
  return async (app) => {
    const { ports, cache = createResultCache() } = options;
    const parts = { ports, cache, deadlines: new Deadlines(), disconnects: new ClientDisconnects() };
    const invocables = new Map<string, Invocable>();
    for (const operation of v2Operations) {
      const invocable = makeInvocable(operation, parts);
      for (const name of [operation.name, ...(operation.aliases ?? [])]) invocables.set(name, invocable);
    }
    addErrors(app, ports);
    await addDocs(app, { ...v2Document, local: options.localDocs });
    app.setSerializerCompiler(({ schema }) =>
      'properties' in (schema as object)
        ? compileEnvelope(schema as typeof errorSchema)
        : compileSerializer(schema as object),
    );
    addHealthcheck(app, () => ports.pool(undefined));
    for (const invocable of new Set(invocables.values())) addRoutes(app, invocable, options);
    addRpcRoute(app, invocables, options);
  };
}

function addRoutes(
  app: FastifyInstance,
  { operation, readInput, invoke }: Invocable,
  { isStrict = false, emulatorVersion }: Pick<V2Options, 'isStrict' | 'emulatorVersion'>,
): void {
  const schemaOf = createRouteSchemas(operation, v2Style);
  const preValidation = createNameCheck(operation, isStrict);
  const config = { interface: 'v2', operation: operation.name, limits: LIMITS };
  for (const name of [operation.name, ...(operation.aliases ?? [])])
    for (const method of operation.methods) {
      const isGet = method === 'GET';
      const part = isGet ? 'querystring' : 'body';
      const origin = isGet ? 'query' : 'body';
      app.route({
        method,
        url: `/${name}`,
        config,
        bodyLimit: operation.maxBodyBytes ?? USUAL_BODY_BYTES,
        schema: schemaOf(name, method),
        preValidation,
        preHandler: emulatorHooks(operation, emulatorVersion),
        validatorCompiler: validateWith(part, (given) => readInput({ given, origin, isRpc: false })),
        ...(isGet && operation.cache === 'immutable' && { onSend: [sendNotModified] }),
        handler: async (request, reply) => {
          const input = (isGet ? request.query : request.body) as OperationInput;
          return respond(reply, await invoke(input, invocationOf(request)), isGet);
        },
      });
    }
}

function invocationOf(request: FastifyRequest): Invocation {
  const { log, startedAtMs, liteGroup: group } = request;
  return { log, startedAtMs, client: request.raw.socket, group, caller: request, rpc: REST };
}

/** Sets status and headers, and returns the body for Fastify to serialise. */
function respond(
  reply: FastifyReply,
  { status, retryAfterSeconds, etag, body }: V2Response,
  isTagged: boolean,
): object {
  if (status !== 200) {
    reply.code(status);
    if (!body.ok) reply.request.failureText = body.error;
  }
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  reply.header('x-api-version', V2_VERSION);
  if (isTagged && etag !== undefined) {
    // A result that can never change may be stored, but must be revalidated by its tag: every request has to pass keys
    // and limits, and a reset of a local chain must be noticed.
    reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
  } else {
    // Depends on the head: no intermediary caching.
    reply.header('cache-control', 'no-store');
  }
  return body;
}

function addRpcRoute(
  app: FastifyInstance,
  invocables: ReadonlyMap<string, Invocable>,
  { maxBatch, isStrict = false }: V2Options,
): void {
  const callRpc = createJsonRpc({ invocables, maxBatch });
  const writeOne = compileEnvelope(rpcResponseSchema);
  const write = (body: unknown): string =>
    Array.isArray(body) ? `[${body.map(writeOne).join(',')}]` : writeOne(body);
  app.route({
    method: 'POST',
    url: `/${RPC}`,
    config: { interface: 'v2', operation: RPC, limits: LIMITS },
    bodyLimit: RPC_BODY_BYTES,
    schema: rpcSchema([...invocables.keys()], v2Operations),
    preValidation: createRpcNameCheck(isStrict),
    // The dispatcher reads the body, because a batch has errors of its own for each call.
    validatorCompiler: () => () => true,
    serializerCompiler: () => write,
    handler: async (request, reply) => {
      const { log, startedAtMs, liteGroup: group, bodyChars } = request;
      const client = request.raw.socket;
      const call = { log, startedAtMs, bodyChars, client, group, caller: request };
      const result = await callRpc(request.body, call);
      return Array.isArray(result) ? respondBatch(reply, result) : respond(reply, result, false);
    },
  });
}

/** A batch is 200 whatever its calls are. */
function respondBatch(reply: FastifyReply, responses: readonly V2Response[]): object[] {
  reply.header('x-api-version', V2_VERSION).header('cache-control', 'no-store');
  return responses.map(({ body }) => body);
}

function addErrors(app: FastifyInstance, { clock }: Pick<LivePorts, 'clock'>): void {
  app.setErrorHandler((error, request, reply) => {
    const { log, startedAtMs } = request;
    // Fastify marks what a validator rejected. Those errors are of an operation, others happened before it.
    const isOfOperation = (error as { validationContext?: string }).validationContext !== undefined;
    const elapsedMs = performance.now() - startedAtMs;
    const response = errorResponse(withBodyLimit(error, request), {
      log,
      ...(isOfOperation && {
        extra: formatExtra({ unixSeconds: clock(), workers: [], elapsedMs, cached: false }),
      }),
    });
    return respond(reply, response, false);
  });
  addRouteErrors(app, ({ url, method }) =>
    url.startsWith(`${app.prefix}/${RPC}`)
      ? `method ${method} is not supported`
      : `unsupported http method: ${method}`,
  );
}

/** Adds `GET /healthcheck`: 200 without a body while a shared lite server is live, else 503. */
function addHealthcheck(app: FastifyInstance, pool: () => Pick<LitePool, 'check'>): void {
  const config = { public: true, interface: 'v2', operation: 'healthcheck' };
  app.get('/healthcheck', { config, schema: healthcheckSchema }, async (_request, reply) => {
    await pool().check();
    return reply.header('x-api-version', V2_VERSION).header('cache-control', 'no-store').send();
  });
}
