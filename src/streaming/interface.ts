import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import fastifyWebsocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { addRouteErrors } from '../http/errors.ts';
import {
  type DocumentOptions,
  describedAs,
  errorResponses,
  securitySchemes,
  sharedErrors,
} from '../http/openapi.ts';
import { restErrors } from '../http/rest-routes.ts';
import { Failure } from '../lib/errors.ts';
import type { StreamMetrics } from '../observe/stream-metrics.ts';
import { addV3Errors, v3ErrorSchema } from '../v3/envelope.ts';
import { type CloseReason, Connection } from './connection.ts';
import type { ConnectionSlots } from './connection-slots.ts';
import type { Streaming } from './create-streaming.ts';
import type { Outlet } from './send-queue.ts';
import { openSse } from './sse.ts';
import {
  emptySubscription,
  readQuery,
  readRemoval,
  readSubscription,
  type Subscription,
  SubscriptionError,
  type SubscriptionRequest,
  type SubscriptionRules,
  SubscriptionSchema,
} from './subscription.ts';
import {
  type ClientMessage,
  reportAndClose,
  SOCKET_SERVER_OPTIONS,
  serveSocket,
  statusJson,
} from './websocket.ts';

/** Limits of a caller; -1 for no limit. */
export interface CallerLimits {
  readonly connections: number;
  readonly addresses: number;
  readonly eventsPerSecond: number;
}

export interface StreamingInterfaceOptions {
  readonly streaming: Streaming;
  readonly slots: ConnectionSlots;
  readonly limitsOf: (request: FastifyRequest) => CallerLimits;
  readonly metrics: StreamMetrics;
  /** Called for every event that a client is sent; null without an API key. */
  readonly onEvent?: ((keyId: string | null) => void) | undefined;
  /** Health by component; undefined values are left out. */
  readonly health: () => Promise<StreamHealth>;
  /** A WebSocket above the limit is opened, told so and closed, as in the reference, instead of refused in the handshake. */
  readonly opensOverLimit?: boolean;
  /** Messages that a WebSocket may send, and pings and pongs. */
  readonly messagesPerSecond?: number;
  readonly timing?: Partial<StreamTiming>;
  readonly queue?: { readonly maxMessages?: number; readonly maxBytes?: number };
}

export interface StreamHealth {
  readonly ok: boolean;
  readonly now: number;
  readonly components: Readonly<Record<string, object>>;
}

export interface StreamTiming {
  readonly keepAliveMs: number;
  readonly pingMs: number;
  readonly idleMs: number;
  /** How often the keys of open streams are checked. */
  readonly keyCheckMs: number;
}

interface OpenStream {
  readonly caller: string;
  readonly isKeyValid: () => Promise<boolean>;
  readonly end: (reason: CloseReason) => void;
}

const TIMING: StreamTiming = { keepAliveMs: 15_000, pingMs: 15_000, idleMs: 60_000, keyCheckMs: 5000 };
const QUEUE = { maxMessages: 1000, maxBytes: 4 * 1024 * 1024 };
const MAX_TRACE_KEYS = 1000;
/** Room for the addresses of the largest plan. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_FRAME_BYTES = 64 * 1024;
/** Room for the addresses that a large plan allows in one message. */
const BYTES_PER_ADDRESS = 80;
const MESSAGES_PER_SECOND = 10;
const UNLIMITED = Number.POSITIVE_INFINITY;

const tags = ['streaming'];
/** With the `id` of the request, if it has one. */
const refusalSchema = Type.Object(
  {
    id: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    error: Type.String(),
    code: Type.Integer(),
  },
  { title: 'Refusal' },
);
const eventStream = {
  tags,
  summary: 'Stream events over server-sent events',
  description:
    'Answers `{"status":"subscribed"}` first, then sends an event whenever something happens to the accounts. What the events of each type say, and how a client that comes back is sent what it missed, is in `docs/streaming.md`.',
  response: {
    200: describedAs('Events, one JSON object in each `data:`, until one side closes', {
      content: { 'text/event-stream': { schema: Type.String() } },
    }),
    ...errorResponses({ schema: refusalSchema, texts: sharedErrors }, [
      { code: 400, when: 'The subscription is wrong; the text says how' },
      { code: 429, when: 'The rate, or the number of connections, is used up' },
    ]),
  },
};
const upgradeResponses: Record<string, object> = {
  101: describedAs('The connection is a WebSocket', Type.Null()),
  ...errorResponses(restErrors, [{ code: 426, when: 'The request asks for no WebSocket' }]),
};
const HealthSchema = Type.Object({
  ok: Type.Boolean(),
  now: Type.Integer(),
  components: Type.Record(Type.String(), Type.Object({}, { additionalProperties: true })),
});

const CLOSE_CODES: Readonly<Record<CloseReason, readonly [number, string]>> = {
  'slow consumer': [1013, 'slow consumer'],
  'going away': [1001, 'server is going away'],
  'internal error': [1011, 'internal error'],
  'key revoked': [1008, 'API key does not exist'],
};

/** The OpenAPI document of the streams. */
export const streamingDocument: DocumentOptions = {
  title: 'tongate streaming API',
  version: '2.0.0',
  description:
    "TON Center's streaming API v2 over server-sent events and WebSocket. With `cursors`, events have ids, and a client that comes back with the last one is sent everything it missed.",
  tags: { streaming: 'Events of accounts and traces, as they happen.' },
  errors: restErrors,
  securitySchemes,
};

/** The streaming interface as a plugin; the application registers it below its prefix. */
export function createStreamingInterface(options: StreamingInterfaceOptions): FastifyPluginAsync {
  const timing = { ...TIMING, ...options.timing };
  const { messagesPerSecond = MESSAGES_PER_SECOND } = options;
  const open = new Set<OpenStream>();
  const slotOf = new WeakMap<FastifyRequest, () => void>();
  const overLimit = new WeakSet<FastifyRequest>();
  const config = { interface: 'streaming', bearerKeys: true };

  return async (app) => {
    addV3Errors(app);
    addRouteErrors(app, () => 'Method Not Allowed');
    addTextBodies(app);
    // What Node read last, however little, is a block of memory that the handshake would keep as long as its socket: a copy is not.
    const upgrades = new EventEmitter();
    app.server.on('upgrade', (request, socket, head) =>
      upgrades.emit('upgrade', request, socket, Buffer.from(head)),
    );
    await app.register(fastifyWebsocket, {
      options: {
        server: upgrades as Server,
        maxPayload: MAX_BODY_BYTES,
        ...SOCKET_SERVER_OPTIONS,
      },
      preClose: (done) => {
        for (const { end } of [...open]) end('going away');
        done();
      },
      errorHandler: (error, socket, request) => {
        request.log.debug({ err: error }, 'WebSocket failed');
        // After a malformed frame it is being closed, with a code that says so.
        if (socket.readyState === socket.OPEN) socket.terminate();
      },
    });
    // A refused upgrade leaves a connection that nobody reads from any more.
    app.addHook('onResponse', async ({ raw }) => {
      if (raw.headers.upgrade?.toLowerCase() === 'websocket') raw.socket.destroySoon();
    });
    const keyChecks = setInterval(() => void checkKeys(), timing.keyCheckMs).unref();
    app.addHook('onClose', async () => clearInterval(keyChecks));
    const sse = { config: { ...config, operation: 'sse' }, validatorCompiler: () => () => true };
    const post = {
      schema: { operationId: 'subscribe', body: SubscriptionSchema, ...eventStream },
      bodyLimit: MAX_BODY_BYTES,
    };
    app.post('/v2/sse', { ...sse, ...post }, (request, reply) => serveSse(request, reply, readBody(request)));
    const get = {
      schema: { operationId: 'subscribeByQuery', querystring: SubscriptionSchema, ...eventStream },
    };
    app.get('/v2/sse', { ...sse, ...get }, (request, reply) =>
      serveSse(request, reply, () => readQuery(request.query)),
    );
    app.route({
      method: 'GET',
      url: '/v2/ws',
      config: { ...config, operation: 'ws' },
      schema: {
        tags,
        operationId: 'openWebSocket',
        summary: 'Stream events over WebSocket',
        description:
          'Messages of the client have an `operation`: `subscribe` with the members of a subscription, `unsubscribe` with addresses or traces, or `ping`.',
        response: upgradeResponses,
      },
      preHandler: takeSocketSlot,
      handler: (_request, reply) => reply.code(426).send({ code: 426, error: 'Upgrade Required' }),
      wsHandler: serveWebSocket,
    });
    const v1 = { public: true, interface: 'streaming', operation: 'v1' };
    const v1Schema = { response: { 404: v3ErrorSchema } };
    for (const url of ['/v1/sse', '/v1/ws'])
      app.all(url, { config: v1, schema: v1Schema, bodyLimit: MAX_BODY_BYTES }, () => {
        throw new Failure('not_found', 'use /api/streaming/v2');
      });
    app.get(
      '/healthz',
      {
        config: { public: true, interface: 'streaming', operation: 'healthz' },
        schema: {
          tags,
          operationId: 'streamingHealth',
          summary: 'Get the health of the streams',
          response: {
            200: describedAs('Events are sent', HealthSchema),
            503: describedAs('Events are late or missing', HealthSchema),
          },
        },
      },
      async (_request, reply) => {
        const health = await options.health();
        return reply.code(health.ok ? 200 : 503).send(health);
      },
    );
  };

  /** A key that was revoked ends its streams. */
  async function checkKeys(): Promise<void> {
    for (const streams of Map.groupBy(open, ({ caller }) => caller).values()) {
      if (await streams[0]!.isKeyValid()) continue;
      for (const one of streams) if (open.has(one)) one.end('key revoked');
    }
  }

  // SSE

  async function serveSse(request: FastifyRequest, reply: FastifyReply, read: () => unknown) {
    const limits = options.limitsOf(request);
    let wanted: SubscriptionRequest;
    try {
      wanted = readSubscription(withHeader(read(), request), emptySubscription(actionsVersion(request)), {
        ...rulesOf(limits),
        ...SSE_TEXTS,
      });
    } catch (error) {
      if (!(error instanceof SubscriptionError)) throw error;
      return refuse(request, reply, 400, error.message, error.id);
    }
    const free = await takeSlot(request, limits);
    if (free === undefined) return refuse(request, reply, 429, limitText(limits), wanted.id);
    if (request.raw.socket.destroyed) return free();
    const stream = openSse(reply, {
      keepAliveMs: timing.keepAliveMs,
      hasCursors: wanted.subscription.cursors,
      idleCursor: () => (options.streaming.hub.isLive(connection) ? connection.idleCursor() : undefined),
    });
    const end = () => {
      close();
      stream.end();
    };
    const { connection, close } = openConnection(request, 'sse', wanted.subscription, stream, end);
    reply.raw.once('close', () => {
      close();
      free();
    });
    options.streaming.hub.subscribe(connection, { ...wanted, answer: statusJson('subscribed', wanted.id) });
  }

  function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    error: string,
    id: SubscriptionRequest['id'],
  ) {
    request.failureText = error;
    return reply.code(status).send({ ...(id !== undefined && { id }), error, code: status });
  }

  // WebSocket

  async function takeSocketSlot(request: FastifyRequest): Promise<void> {
    if (!request.ws) return;
    const limits = options.limitsOf(request);
    const free = await takeSlot(request, limits);
    if (free !== undefined) slotOf.set(request, free);
    else if (options.opensOverLimit === true) overLimit.add(request);
    else throw new Failure('rate_limited', limitText(limits));
  }

  function serveWebSocket(socket: WebSocket, request: FastifyRequest): void {
    const limits = options.limitsOf(request);
    if (overLimit.has(request)) {
      reportAndClose(socket, limitText(limits));
      return;
    }
    const rules = rulesOf(limits);
    const maxFrame = Math.max(
      MAX_FRAME_BYTES,
      limits.addresses < 0 ? MAX_BODY_BYTES : limits.addresses * BYTES_PER_ADDRESS,
    );
    const outlet = serveSocket(socket, request.raw.socket, {
      ...timing,
      maxFrameBytes: Math.min(maxFrame, MAX_BODY_BYTES),
      messagesPerSecond: limits.connections < 0 ? UNLIMITED : messagesPerSecond,
      controlFramesPerSecond: messagesPerSecond,
      onMessage: (message) => handle(message),
      answer: (json) => connection.answer(json),
      onRefused: options.metrics.refused,
    });
    const before = emptySubscription(actionsVersion(request));
    const { connection, close } = openConnection(request, 'ws', before, outlet, (reason) => {
      outlet.close(...CLOSE_CODES[reason]);
      close();
    });
    socket.once('close', () => {
      close();
      slotOf.get(request)?.();
    });

    function handle({ operation, id, sent }: ClientMessage): void {
      if (operation === 'ping') connection.answer(statusJson('pong', id));
      else if (operation === 'subscribe') {
        const wanted = readSubscription(sent, connection.subscription, { ...rules, ...WS_TEXTS });
        options.streaming.hub.subscribe(connection, { ...wanted, answer: statusJson('subscribed', id) });
      } else if (operation === 'unsubscribe') unsubscribe(sent, statusJson('unsubscribed', id));
      else throw new SubscriptionError(`unknown operation: ${operation}`, id);
    }

    function unsubscribe(sent: unknown, answer: string): void {
      const { addresses, traceKeys } = readRemoval(sent);
      const { subscription } = connection;
      options.streaming.hub.narrow(
        connection,
        {
          ...subscription,
          addresses: without(subscription.addresses, addresses),
          traceKeys: without(subscription.traceKeys, traceKeys),
        },
        answer,
      );
    }
  }

  // Both

  async function takeSlot(request: FastifyRequest, { connections }: CallerLimits) {
    const free = await options.slots.take(callerOf(request), connections);
    if (free === undefined) options.metrics.refused('connections');
    else request.raw.socket.once('close', free);
    return free;
  }

  function openConnection(
    request: FastifyRequest,
    transport: 'sse' | 'ws',
    subscription: Subscription,
    outlet: Outlet,
    end: (reason: CloseReason) => void,
  ) {
    const { hub, follower } = options.streaming;
    const { metrics } = options;
    const { eventsPerSecond } = options.limitsOf(request);
    request.noteStream(transport);
    const connection: Connection = new Connection({
      transport,
      payer: request.payer,
      outlet,
      subscription,
      limits: { ...QUEUE, ...options.queue, eventsPerSecond },
      network: () => follower.network(),
      close: end,
      onTraceSeen: (key) => hub.await(connection, key),
      onTraceDone: (key) => hub.forget(connection, key),
      onEvent(type) {
        metrics.event(type);
        options.onEvent?.(request.keyId);
      },
      onGap: metrics.gap,
    });
    const stream = { caller: callerOf(request), isKeyValid: request.isKeyValid, end };
    open.add(stream);
    const close = (): void => {
      open.delete(stream);
      if (connection.isClosed) return;
      connection.close();
      hub.remove(connection);
    };
    return { connection, close };
  }
}

const SSE_TEXTS = {
  malformed: 'invalid subscription request',
  noTypes: 'types are required for subscription',
  noAddresses: 'addresses are required for subscription',
  tooManyAddresses: (count: number, max: number) => `too many addresses: ${count} > max ${max}`,
};

const WS_TEXTS = {
  malformed: 'invalid subscribe request',
  noTypes: 'types are required',
  noAddresses: 'addresses are required',
  tooManyAddresses: (count: number, max: number) =>
    `address limit exceeded: current 0 + new ${count} > max ${max}`,
};

function rulesOf({ addresses }: CallerLimits): Pick<SubscriptionRules, 'maxAddresses' | 'maxTraceKeys'> {
  return { maxAddresses: addresses < 0 ? UNLIMITED : addresses, maxTraceKeys: MAX_TRACE_KEYS };
}

function without<T>(all: ReadonlySet<T>, removed: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...all].filter((one) => !removed.has(one)));
}

function limitText({ connections }: CallerLimits): string {
  return `connection limit reached: ${connections} active connections`;
}

function callerOf({ payer, ip }: FastifyRequest): string {
  return payer?.id ?? `a:${ip}`;
}

function actionsVersion({ headers }: FastifyRequest): string | undefined {
  const version = headers['x-actions-version'];
  return typeof version === 'string' ? version : undefined;
}

/** A subscription with the cursor that a browser repeats when it reconnects. */
function withHeader(sent: unknown, { headers }: FastifyRequest): unknown {
  const id = headers['last-event-id'];
  if (typeof id !== 'string' || id === '' || typeof sent !== 'object' || sent === null) return sent;
  return Array.isArray(sent) ? sent : { ...sent, last_event_id: id };
}

/** Bodies are texts: what is wrong with them is told in the words of the contract. */
function addTextBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

function readBody(request: FastifyRequest): () => unknown {
  return () => {
    const { rawHeaders } = request.raw;
    // The header itself was replaced: other interfaces take every body as JSON.
    const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-type');
    if (at === -1 || !/^application\/json\b/i.test(rawHeaders[at + 1]!))
      throw new SubscriptionError('invalid subscription request: Unprocessable Entity');
    const text = request.body as string;
    // An endless response would keep it.
    request.body = undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw new SubscriptionError('invalid subscription request: not JSON');
    }
  };
}
