import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  LogController,
} from 'fastify';
import type { Logger } from '../observe/logger.ts';
import type { AccessPlugin } from './access.ts';
import { compression } from './body.ts';
import {
  type BlockedAddresses,
  connectionLimits,
  connectionsPerAddress,
  createBlockedAddresses,
  createFloods,
  pipelining,
  requestBodies,
  unfinishedRequests,
} from './connections.ts';
import { addFallbackErrors, handleClientError, handleFrameworkError } from './errors.ts';
import {
  loadShedding,
  type ResponseBudgetOptions,
  responseBudget,
  type SheddingOptions,
  type UnreadOptions,
  unreadResponses,
} from './limits.ts';
import {
  createRequestIds,
  createUrlRewriter,
  jsonBodies,
  MAX_HEAD_BYTES,
  type OnCallDone,
  type OnRequestDone,
  openCors,
  requestBasics,
  requestLog,
  USUAL_BODY_BYTES,
} from './request.ts';
import { compileSerializer } from './serializer.ts';

/** An interface: a path and the plugin that adds its routes. */
export interface MountedInterface {
  readonly prefix: string;
  readonly plugin: FastifyPluginAsync;
}

export interface AppOptions {
  readonly log: Logger;
  readonly access: AccessPlugin;
  readonly interfaces: readonly MountedInterface[];
  /** Routes outside the interfaces: health, metrics. */
  readonly service: FastifyPluginAsync;
  readonly cors: boolean;
  readonly compress: boolean;
  readonly shedding: SheddingOptions;
  /** How many connections there may be at the same time. */
  readonly maxConnections: number;
  /** How many of them one address may have; a quarter by default. It does not matter behind a proxy. */
  readonly maxPerAddress?: number | undefined;
  /** Those of this process by default. */
  readonly blockedAddresses?: BlockedAddresses | undefined;
  readonly onConnectionRefused: () => void;
  /** Bytes that all requests may hold together before they are complete. */
  readonly maxUnfinishedBytes?: number;
  readonly onRequestDone: OnRequestDone;
  readonly onCallDone?: OnCallDone | undefined;
  /** Other limits for responses that clients do not read. */
  readonly unread?: UnreadOptions;
  /** Left out, the size of responses is not counted. */
  readonly responses?: ResponseBudgetOptions;
  readonly trustProxy: boolean | number | string | string[];
  readonly pathPrefix: string;
  /** Time in which a whole request must have been received. */
  readonly receiveTimeoutMs: number;
}

const KEEP_ALIVE_MS = 72_000;
const IDLE_SWEEP_MS = 50;
const MAX_UNFINISHED_BYTES = 64 * 1024 * 1024;

/** Builds the application without opening a port. Hooks run in the order in which the plugins are registered. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = createServer(options);
  app.setSerializerCompiler(({ schema }) => compileSerializer(schema as object));
  const { maxConnections, maxPerAddress = connectionsPerAddress(maxConnections) } = options;
  const { onConnectionRefused, blockedAddresses = createBlockedAddresses() } = options;
  const floods = createFloods(onConnectionRefused, blockedAddresses);
  await app.register(pipelining, { floods });
  await app.register(requestBodies, { floods, perAddress: options.trustProxy === false });
  await app.register(connectionLimits, {
    floods,
    connections: maxConnections,
    perAddress: options.trustProxy === false ? maxPerAddress : undefined,
    onRefused: onConnectionRefused,
  });
  await app.register(unfinishedRequests, {
    maxBytes: options.maxUnfinishedBytes ?? MAX_UNFINISHED_BYTES,
    onRefused: onConnectionRefused,
  });
  await app.register(requestLog, options);
  await app.register(requestBasics);
  await app.register(jsonBodies);
  if (options.cors) await app.register(openCors);
  await app.register(loadShedding, options.shedding);
  await app.register(options.access);
  await app.register(unreadResponses, options.unread ?? {});
  if (options.responses !== undefined) await app.register(responseBudget, options.responses);
  if (options.compress) await app.register(compression);
  addQuickClose(app);
  addFallbackErrors(app);
  await app.register(options.service);
  for (const { prefix, plugin } of options.interfaces) await app.register(plugin, { prefix });
  return app;
}

function createServer({ log, trustProxy, pathPrefix, receiveTimeoutMs }: AppOptions): FastifyInstance {
  return Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // The plugin `requestLog` writes one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    // Fastify ignores a number of hops because it cannot know who the nearest one is; the operator who sets it does.
    trustProxy:
      typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    genReqId: createRequestIds(),
    bodyLimit: USUAL_BODY_BYTES,
    // Loading plugins is our own work; on a busy machine it may take longer than the 10 s that Fastify grants.
    pluginTimeout: 0,
    requestTimeout: receiveTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: receiveTimeoutMs,
      // Node would refuse such requests itself, past all limits.
      requireHostHeader: false,
      // Some clients offer an upgrade to HTTP/2 with every request, which must be served as it is.
      shouldUpgradeCallback: isWebSocketUpgrade,
      // How often Node looks for requests whose time is over: every 30 s if it is not told.
      connectionsCheckingInterval: Math.min(1000, receiveTimeoutMs / 4),
    },
    // No part of a path is too long for the router: lengths are checked after keys and limits.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEAD_BYTES },
    rewriteUrl: createUrlRewriter(pathPrefix),
    clientErrorHandler: handleClientError,
    frameworkErrors: handleFrameworkError,
  });
}

const SOCKET_PATH = /\/api\/streaming\/v2\/ws\/?(?:\?|$)/;

/** Only these requests are handed to the WebSocket server. */
function isWebSocketUpgrade({ headers, url = '' }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && SOCKET_PATH.test(url);
}

/** From now on every response ends its connection, so that callers go to other processes with their next request. */
export function drainConnections(app: FastifyInstance): void {
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
}

/** A connection that becomes idle while the server closes is closed too, instead of being kept alive. */
function addQuickClose(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
    app.server.once('close', () => clearInterval(sweep));
    sweep.unref();
    done();
  });
}
