import Fastify, { type FastifyInstance } from 'fastify';
import type { Settings } from '../config/settings.ts';
import { listen } from '../http/listen.ts';
import { addMetricsRoute } from '../http/plugins/service-routes.ts';
import type { Logger } from '../observe/logger.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Shutdown } from '../observe/shutdown.ts';

interface MetricsServerParts {
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly shutdown: Shutdown;
}

/** Serves metrics on the port of their own, if there is to be one. */
export async function startMetricsServer(parts: MetricsServerParts): Promise<void> {
  const { settings, metrics, log, shutdown } = parts;
  const { metricsHost: host, metricsPort: port } = settings;
  if (port === 'off') return;
  const app: FastifyInstance = Fastify();
  addMetricsRoute(app, metrics);
  shutdown.add('metrics server', () => app.close());
  const url = await listen(app, { host, port, setting: 'METRICS_PORT' });
  log.info({ url: `${url}/metrics` }, 'Metrics are served');
}
