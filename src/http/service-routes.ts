import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { Failure } from '../lib/errors.ts';

/** What the routes outside the interfaces report on. */
export interface ServiceRoutesOptions {
  readonly ready: () => Promise<{
    readonly ready: boolean;
    readonly checks: Readonly<Record<string, unknown>>;
  }>;
  /** State of the process and of what it depends on, fit for the public. */
  readonly status: () => object;
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

/** Adds health, readiness, status and metrics, for which nobody needs a key, except for metrics. */
export function addServiceRoutes(parent: FastifyInstance, options: ServiceRoutesOptions): void {
  const app = parent.withTypeProvider<TypeBoxTypeProvider>();
  app.get(
    '/healthz',
    { ...publicRoute('healthz'), schema: healthSchema },
    async () => ({ status: 'ok' }) as const,
  );
  // The path that probes written for other v3 servers use.
  app.get('/healthcheck', publicRoute('healthz'), (_request, reply) => reply.type('text/plain').send('OK'));
  app.get('/readyz', publicRoute('readyz'), async (_request, reply) => {
    const state = await options.ready();
    return reply.code(state.ready ? 200 : 503).send(state);
  });
  app.get('/status', publicRoute('status'), async () => options.status());
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
      page = metrics.render();
    }
    return page;
  }

  const { config } = publicRoute('metrics');
  app.get('/metrics', { config: { ...config, public: !needKey } }, async (request, reply) => {
    if (needKey && request.keyId === null)
      throw new Failure(
        'unknown_key',
        'Metrics need an API key (X-API-Key) on this port; METRICS_PORT serves them on a port of their own',
      );
    return reply.type(metrics.contentType).send(await render());
  });
}

function publicRoute(operation: string) {
  return { config: { public: true, interface: 'service', operation } };
}
