import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { createPendingMetrics } from '../observe/pending-metrics.ts';
import type { Shutdown } from '../observe/shutdown.ts';
import type { EmulationPort } from '../v3/emulate/emulate-call.ts';
import type { ChainAccess } from './chain-access.ts';
import { openEmulation } from './open-emulation.ts';
import { type StartedPending, startPending } from './start-pending.ts';

interface PartsOptions {
  readonly settings: Settings;
  readonly chain: ChainAccess;
  readonly database: Database;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly shutdown: Shutdown;
}

/** What knows of the future, as the settings want it. */
export interface PendingParts {
  readonly emulation: EmulationPort;
  /** Undefined where pending messages are switched off. */
  readonly pending: StartedPending | undefined;
}

/** Opens what emulates messages, and begins to follow those that are sent. */
export async function openPendingParts(options: PartsOptions): Promise<PendingParts> {
  const { settings, shutdown } = options;
  const metrics = createPendingMetrics(options.metrics.registry);
  const emulation = openEmulation({ ...options, metrics });
  shutdown.add('emulation', emulation.close);
  const pending = settings.pending ? await startPending({ ...options, emulation, metrics }) : undefined;
  if (pending !== undefined) shutdown.add('pending messages', pending.close);
  return { emulation, pending };
}
