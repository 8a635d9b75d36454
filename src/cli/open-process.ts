import type { EventEmitter } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { useNativeSha256 } from '../chain/boc/ton-core.ts';
import type { createClassifier } from '../classify/classifier.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import { listen } from '../http/listen.ts';
import { addMetricsRoute } from '../http/service-routes.ts';
import type { Decoder } from '../ingest/decode/decoder.ts';
import { createLogger, type DestinationStream, flushLog, type Logger } from '../observe/logger.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { createShutdown, type Shutdown } from '../observe/shutdown.ts';
import type { Vm } from '../vm/vm.ts';
import type { Place } from '../workers/place.ts';
import { packageVersion } from './package-version.ts';

/** The basics of a process that runs until a signal. */
export interface OpenProcess {
  readonly log: Logger;
  readonly shutdown: Shutdown;
  readonly metrics: Metrics;
}

/** The process that a server is started in, when it is not the only one there. */
export interface HostProcess extends OpenProcess {
  /** What does the work of the threads of a local chain and an indexer. Closing the first two does nothing. */
  readonly threads?: {
    readonly vm: Vm;
    readonly decoder: Decoder;
    readonly createClassifier: typeof createClassifier;
  };
  /** Its place among the processes of one server. */
  readonly place?: Place;
}

/** What the parts of a server are put together from. */
export interface ServerParts extends OpenProcess {
  readonly settings: Settings;
  readonly database: Database;
  /** Set if it is one of several processes. */
  readonly place?: Place | undefined;
}

interface OpenOptions {
  /** Replaces standard output for the log. */
  readonly destination?: DestinationStream | undefined;
  /** Replaces the process as the source of signals. */
  readonly signals?: EventEmitter | undefined;
}

export function openProcess(
  settings: Settings,
  greeting: string,
  { destination, signals }: OpenOptions = {},
): OpenProcess {
  const { network, logLevel, stopTimeoutMs, drainMs } = settings;
  useNativeSha256();
  const log = createLogger({
    level: logLevel,
    pretty: process.stdout.isTTY === true,
    ...(destination && { destination }),
  });
  const shutdown = createShutdown({
    log,
    timeoutMs: stopTimeoutMs,
    drainMs,
    beforeExit: () => flushLog(log),
    ...(signals && { signals }),
  });
  const version = packageVersion();
  log.info({ version, node: process.version, network }, greeting);
  return { log, shutdown, metrics: createMetrics({ build: { version, network } }) };
}

/**
 * Closes what a failed start has opened, takes back what it has noted, and throws its error, unless it failed because a
 * signal stopped it.
 */
export async function endFailedStart(
  { shutdown, log }: Pick<OpenProcess, 'shutdown' | 'log'>,
  error: unknown,
  withdraw?: () => Promise<void>,
): Promise<void> {
  const wasStopped = shutdown.stopping();
  await shutdown.close();
  await flushLog(log);
  if (wasStopped) return;
  await withdraw?.();
  throw error;
}

export async function startMetricsServer(
  { metrics, log, shutdown }: OpenProcess,
  settings: Settings,
): Promise<void> {
  const { metricsHost: host, metricsPort: port } = settings;
  if (port === 'off') return;
  const { default: Fastify } = await import('fastify');
  const app: FastifyInstance = Fastify();
  addMetricsRoute(app, metrics);
  shutdown.add('metrics server', () => app.close());
  const url = await listen(app, { host, port, setting: 'METRICS_PORT' });
  log.info({ url: `${url}/metrics` }, 'Metrics server listening');
}
