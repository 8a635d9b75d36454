import type { FastifyInstance } from 'fastify';
import { frontPage } from '../front-page.ts';
import { sendJson } from '../json-reply.ts';

/** What the routes outside both interfaces report on. */
export interface ServiceRoutesOptions {
  readonly version: string;
  readonly network: string;
  readonly ready: () => Promise<{
    readonly ready: boolean;
    readonly checks: Readonly<Record<string, unknown>>;
  }>;
  /** How the process and what it depends on are, fit for the public. */
  readonly status: () => object;
  /** Absent when metrics are served on a port of their own. */
  readonly metrics?: MetricsPage;
}

export interface MetricsPage {
  readonly contentType: string;
  readonly render: () => Promise<string>;
}

/** Adds the front page, health, readiness, status and metrics: free of keys and limits. */
export function addServiceRoutes(app: FastifyInstance, options: ServiceRoutesOptions): void {
  const config = (operation: string) => ({ config: { gated: false, interface: 'service', operation } });
  const page = frontPage(options);
  app.get('/', config('front'), (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  app.get('/healthz', config('healthz'), (_request, reply) => sendJson(reply, '{"status":"ok"}'));
  // The name that probes written for other v3 servers use.
  app.get('/healthcheck', config('healthz'), (_request, reply) => reply.type('text/plain').send('OK'));
  app.get('/readyz', config('readyz'), async (_request, reply) => {
    const state = await options.ready();
    return sendJson(reply.code(state.ready ? 200 : 503), JSON.stringify(state));
  });
  app.get('/status', config('status'), (_request, reply) =>
    sendJson(reply, JSON.stringify(options.status())),
  );
  if (options.metrics !== undefined) addMetricsRoute(app, options.metrics);
}

/** Adds `/metrics` in the Prometheus text format. */
export function addMetricsRoute(app: FastifyInstance, metrics: MetricsPage): void {
  app.get(
    '/metrics',
    { config: { gated: false, interface: 'service', operation: 'metrics' } },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()),
  );
}
