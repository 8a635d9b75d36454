import { useNativeSha256 } from '../chain/boc/core-sha256.ts';
import type { Settings } from '../config/settings.ts';
import { createLogger, flushLog, type Logger } from '../observe/logger.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { createShutdown, type Shutdown } from '../observe/shutdown.ts';
import { packageVersion } from './package-version.ts';

/** What a process that runs until a signal has before all else. */
export interface OpenProcess {
  readonly log: Logger;
  readonly shutdown: Shutdown;
  readonly metrics: Metrics;
}

/** Opens the log, which begins with a greeting, the figures, and the way to an orderly end. */
export function openProcess({ network, logLevel, stopTimeoutMs }: Settings, greeting: string): OpenProcess {
  useNativeSha256();
  const log = createLogger({ level: logLevel, pretty: process.stdout.isTTY === true });
  const shutdown = createShutdown({ log, timeoutMs: stopTimeoutMs, beforeExit: () => flushLog(log) });
  const version = packageVersion();
  log.info({ version, node: process.version, network }, greeting);
  return { log, shutdown, metrics: createMetrics({ build: { version, network } }) };
}
