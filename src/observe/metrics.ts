import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createRequestMetrics } from './request-metrics.ts';

/** Why a call was turned away; which interface it was for shows in the requests by status. */
export type RefusalReason = 'unknown_key' | 'network_not_allowed' | 'rate_limited' | 'overloaded';

/** How many connections a database pool holds, and how many callers wait for one. */
export interface PoolCounts {
  readonly name: string;
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
  /** Of replicas with a bound on their lag. */
  readonly lagMs?: number;
}

interface MetricsOptions {
  /** Shown as labels of `tongate_build_info`. */
  readonly build?: { readonly version: string; readonly network: string };
  /** Whether the figures of Node and the process are part of it; off where many applications share a process. */
  readonly runtime?: boolean;
}

/** The figures of one process and their text for Prometheus. */
export interface Metrics {
  /** For parts that bring figures of their own; names start with `tongate_`. */
  readonly registry: Registry;
  readonly contentType: string;
  readonly render: () => Promise<string>;
  /** Counts an answered request and its time; every request calls it. */
  readonly requestDone: (interfaceName: string, operation: string, status: number, seconds: number) => void;
  /** Counts a call that was turned away before any work was done for it. */
  readonly refused: (reason: RefusalReason) => void;
  /** Counts a failure of the store that holds the shared limits. */
  readonly rateStoreError: () => void;
  /** Says where the state of the database pools is read whenever the figures are. */
  readonly observePools: (read: () => readonly PoolCounts[]) => void;
}

/** Creates the figures of a process in a registry of their own. */
export function createMetrics({ build, runtime = true }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const refused = new Counter({
    name: 'tongate_refused_total',
    help: 'Calls turned away before any work was done for them',
    labelNames: ['reason'],
    registers,
  });
  const rateStoreErrors = new Counter({
    name: 'tongate_rate_store_errors_total',
    help: 'Failures of the store that holds the shared limits',
    registers,
  });
  let readPools: () => readonly PoolCounts[] = () => [];
  new Gauge({
    name: 'tongate_database_pool_connections',
    help: 'Connections of the database pools, and callers that wait for one',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { name: pool, total, idle, waiting } of readPools()) {
        this.set({ pool, state: 'total' }, total);
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'waiting' }, waiting);
      }
    },
  });
  new Gauge({
    name: 'tongate_database_replica_lag_seconds',
    help: 'How far replicas are behind the primary, as of the last look while they are read from',
    labelNames: ['pool'],
    registers,
    collect() {
      this.reset();
      for (const { name: pool, lagMs } of readPools())
        if (lagMs !== undefined) this.set({ pool }, lagMs / 1000);
    },
  });
  if (build !== undefined) {
    const labelNames = ['version', 'network'];
    new Gauge({ name: 'tongate_build_info', help: 'What is running; always 1', labelNames, registers }).set(
      build,
      1,
    );
  }
  // Under the names every dashboard for Node knows, so without our prefix.
  if (runtime) collectDefaultMetrics({ register: registry });

  return {
    registry,
    contentType: registry.contentType,
    render: () => registry.metrics(),
    requestDone: createRequestMetrics(registry),
    refused: (reason) => refused.inc({ reason }),
    rateStoreError: () => rateStoreErrors.inc(),
    observePools: (read) => {
      readPools = read;
    },
  };
}
