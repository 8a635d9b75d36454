import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { Failure } from '../lib/errors.ts';
import { startWork } from '../lib/loop-work.ts';

/** Sources of the routes outside the interfaces. */
export interface ServiceRoutesOptions {
  readonly ready: () => Promise<{
    readonly ready: boolean;
    readonly checks: Readonly<Record<string, { readonly status: string; readonly text?: string }>>;
  }>;
  /** State of the process and of what it depends on, fit for the public. */
  readonly status: () => ServerStatus | Promise<ServerStatus>;
  /** Absent when metrics are served on a port of their own. */
  readonly metrics?: MetricsPage & {
    /** Whether callers need an API key, because others than this machine reach the port. */
    readonly needKey: boolean;
  };
}

export interface MetricsPage {
  readonly contentType: string;
  readonly render: () => Promise<string>;
}

const healthSchema = { response: { 200: Type.Object({ status: Type.Literal('ok') }) } };
const textSchema = { response: { 200: Type.String() } };
const readySchema = Type.Object({
  ready: Type.Boolean(),
  checks: Type.Record(
    Type.String(),
    Type.Object({ status: Type.String(), text: Type.Optional(Type.String()) }),
  ),
});
/** Parts that a process does not have are left out. */
const part = Type.Optional(Type.Object({}, { additionalProperties: true }));
const statusSchema = Type.Object({
  version: Type.String(),
  network: Type.String(),
  uptime_seconds: Type.Integer(),
  workers: Type.Optional(Type.Integer()),
  lite: part,
  vm: part,
  index: part,
  pending: part,
  streaming: part,
});

export type ServerStatus = Static<typeof statusSchema>;

/** Adds health, readiness, status and metrics, for which nobody needs a key, except for metrics. */
export function addServiceRoutes(parent: FastifyInstance, options: ServiceRoutesOptions): void {
  const app = parent.withTypeProvider<TypeBoxTypeProvider>();
  app.get(
    '/healthz',
    { ...publicRoute('healthz'), schema: healthSchema },
    async () => ({ status: 'ok' }) as const,
  );
  // The path that probes written for other v3 servers use.
  app.get('/healthcheck', { ...publicRoute('healthz'), schema: textSchema }, async (_request, reply) =>
    reply.type('text/plain').send('OK'),
  );
  const schema = { response: { 200: readySchema, 503: readySchema } };
  app.get('/readyz', { ...publicRoute('readyz'), schema }, async (_request, reply) => {
    const state = await options.ready();
    return reply.code(state.ready ? 200 : 503).send(state);
  });
  app.get('/status', { ...publicRoute('status'), schema: { response: { 200: statusSchema } } }, async () =>
    options.status(),
  );
  if (options.metrics !== undefined) addMetricsRoute(app, options.metrics, options.metrics.needKey);
}

/** Figures may be this old: collecting them takes 50 ms. */
const METRICS_TTL_MS = 1000;

/** Adds `/metrics` in the Prometheus text format. */
export function addMetricsRoute(app: FastifyInstance, metrics: MetricsPage, needKey = false): void {
  let page: Promise<string> | undefined;
  let renderedAt = 0;

  function render(): Promise<string> {
    const time = performance.now();
    if (page === undefined || time - renderedAt >= METRICS_TTL_MS) {
      renderedAt = time;
      startWork('metrics', time);
      page = metrics.render();
    }
    return page;
  }

  const { config } = publicRoute('metrics');
  app.get(
    '/metrics',
    { config: { ...config, public: !needKey }, schema: textSchema },
    async (request, reply) => {
      if (needKey && request.keyId === null)
        throw new Failure(
          'unknown_key',
          'Metrics need an API key (X-API-Key) on this port; METRICS_PORT serves them on a port of their own',
        );
      return reply.type(metrics.contentType).send(await render());
    },
  );
}

function publicRoute(operation: string) {
  return { config: { public: true, interface: 'service', operation } };
}
