import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyReply } from 'fastify';
import { Failure } from '../lib/errors.ts';
import { addEntry, type EntryOptions } from './entry.ts';
import { statusOf } from './errors.ts';
import { sendJson } from './json-reply.ts';
import { addJsonBody } from './plugins/json-body.ts';
import { refuseRaw } from './raw-refusal.ts';
import { createRequestIds } from './request-id.ts';
import { createUrlRewriter } from './rewrite-url.ts';
import { MAX_HEAD_BYTES } from './size-limits.ts';

/** An interface as the application mounts it: a path and a plugin that adds its routes. */
export interface MountedInterface {
  readonly prefix: string;
  readonly plugin: FastifyPluginAsync;
}

export interface AppOptions extends EntryOptions {
  readonly interfaces: readonly MountedInterface[];
  /** Routes outside the interfaces: health, metrics, front page. */
  readonly service: FastifyPluginAsync;
  readonly trustProxy: boolean | number | string | string[];
  readonly pathPrefix: string;
  readonly compress: boolean;
  /** Time in which a whole request must have been received. */
  readonly receiveTimeoutMs: number;
}

const KEEP_ALIVE_MS = 72_000;
const IDLE_SWEEP_MS = 50;

/** Builds the application: everything a request meets, without a port. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const rewriteUrl = createUrlRewriter(options.pathPrefix);
  const app = Fastify({
    // `addEntry` gives each request its log; with a logger of its own Fastify would watch every answer to its end.
    logger: false,
    trustProxy: trustedProxies(options.trustProxy),
    genReqId: createRequestIds(),
    requestTimeout: options.receiveTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { maxHeaderSize: MAX_HEAD_BYTES, headersTimeout: options.receiveTimeoutMs },
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
  await addEntry(app, options);
  addJsonBody(app);
  if (options.compress) app.decorateReply('compresses', true);
  addQuickClose(app);
  addFallbacks(app);
  await app.register(options.service);
  for (const { prefix, plugin } of options.interfaces) await app.register(plugin, { prefix });
  return app;
}

/** Fastify ignores a number of hops because it cannot know who the nearest one is; the operator who sets it does. */
function trustedProxies(setting: AppOptions['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
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
    if (retryAfterSeconds !== undefined) request.head?.header('retry-after', retryAfterSeconds);
    return sendJson(reply.code(status), JSON.stringify({ ok: false, error: text, code: status }));
  });
  app.setNotFoundHandler(() => {
    throw new Failure('not_found', 'Not Found');
  });
}
