import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  LogController,
} from 'fastify';
import { Failure } from '../lib/failure.ts';
import type { Logger } from '../observe/logger.ts';
import { statusOf } from './errors.ts';
import type { Gate } from './gate.ts';
import { sendJson } from './json-reply.ts';
import { createLazyLog } from './lazy-log.ts';
import { addCrossOrigin } from './plugins/cross-origin.ts';
import { addJsonBody } from './plugins/json-body.ts';
import { addLoadShedding, type SheddingOptions } from './plugins/load-shedding.ts';
import { addRequestRecord, type OnRequestDone } from './plugins/request-record.ts';
import { MAX_HEAD_BYTES } from './plugins/size-limits.ts';
import { refuseRaw } from './raw-refusal.ts';
import { createRequestIds } from './request-id.ts';
import { createUrlRewriter } from './rewrite-url.ts';

/** An interface as the application mounts it: a path and a plugin that adds its routes. */
export interface MountedInterface {
  readonly prefix: string;
  readonly plugin: FastifyPluginAsync;
}

export interface AppOptions {
  readonly log: Logger;
  readonly gate: Gate;
  readonly interfaces: readonly MountedInterface[];
  /** Routes outside the interfaces: health, metrics, front page. */
  readonly service: FastifyPluginAsync;
  readonly onRequestDone: OnRequestDone;
  readonly shedding: SheddingOptions;
  readonly trustProxy: boolean | number | string | string[];
  readonly pathPrefix: string;
  readonly cors: boolean;
  readonly compress: boolean;
  /** Time in which a whole request must have been received. */
  readonly requestTimeoutMs: number;
}

const KEEP_ALIVE_MS = 72_000;
const IDLE_SWEEP_MS = 50;

/** Builds the application: everything a request meets, without a port. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const rewriteUrl = createUrlRewriter(options.pathPrefix);
  const app = Fastify({
    loggerInstance: createLazyLog(options.log),
    // One line a request is written by `request-record`, after the answer.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies(options.trustProxy),
    genReqId: createRequestIds(),
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { maxHeaderSize: MAX_HEAD_BYTES, headersTimeout: options.requestTimeoutMs },
    routerOptions: { ignoreTrailingSlash: true },
    rewriteUrl: (request) => rewriteUrl(request.url ?? '/'),
    clientErrorHandler: refuseRaw,
    frameworkErrors: (error, _request, reply) => {
      const { status, text } = statusOf(error);
      (reply as FastifyReply).code(status);
      sendJson(
        reply as FastifyReply,
        JSON.stringify({ ok: false, error: text, code: status, '@extra': '_' }),
      );
    },
  }) as unknown as FastifyInstance;
  app.decorateRequest('keyId', null);
  addRequestRecord(app, options);
  addJsonBody(app);
  if (options.cors) addCrossOrigin(app);
  await addLoadShedding(app, options.shedding);
  if (options.compress) app.decorateReply('compresses', true);
  addQuickClose(app);
  await options.gate.install(app);
  addGate(app, options.gate);
  addFallbacks(app);
  await app.register(options.service);
  for (const { prefix, plugin } of options.interfaces) await app.register(plugin, { prefix });
  return app;
}

/** Fastify ignores a number of hops because it cannot know who the nearest one is; the operator who sets it does. */
function trustedProxies(setting: AppOptions['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}

function addGate(app: FastifyInstance, gate: Gate): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.route.gated === false) return done();
    let pending: Promise<void> | undefined;
    try {
      pending = gate.admit(request, reply);
    } catch (error) {
      return done(error as Error);
    }
    if (pending === undefined) done();
    else pending.then(() => done(), done);
  });
}

/** A connection that turns idle while the server closes is closed too, instead of being kept alive. */
function addQuickClose(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
    app.server.once('close', () => clearInterval(sweep));
    sweep.unref();
    done();
  });
}

/** What is outside both interfaces answers with a body that has the keys of both envelopes. */
function addFallbacks(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, text, retryAfterSeconds, unexpected } = statusOf(error);
    if (unexpected) request.log.error({ err: error }, 'unexpected error');
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
    return sendJson(reply.code(status), JSON.stringify({ ok: false, error: text, code: status }));
  });
  app.setNotFoundHandler(() => {
    throw new Failure('not_found', 'Not Found');
  });
}
