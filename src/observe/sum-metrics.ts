import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';
import { createInstruments } from './instruments.ts';

/** The metrics of a process, as JSON. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Gauges of what is the same for all processes, or of which the largest counts: sums and means of them say nothing. */
const NOT_SUMMED =
  /^nodejs_eventloop_lag_|^tongate_(build_info|database_bytes|database_replica_lag_seconds|vm_version|network_version|lite_|index_|webhooks$|webhook_.*(age|events)|stream_.*(seqno|lag)|pending_feed_connected)/;

/** One page of the metrics of several processes. */
export async function sumMetrics(all: readonly ProcessMetrics[]): Promise<string> {
  return AggregatorRegistry.aggregate(all.map((one) => one.map(withAggregator))).metrics();
}

/** What processes have counted that are gone: counters of a server never go back. */
export async function sumCounters(counters: readonly ProcessMetrics[]): Promise<ProcessMetrics> {
  return AggregatorRegistry.aggregate([...counters]).getMetricsAsJSON();
}

export function isCounted({ type }: MetricObject): boolean {
  // Registries write types as texts, whatever their declaration says.
  return ['counter', 'histogram'].includes(type as unknown as string);
}

function withAggregator<M extends MetricObject>(metric: M): M {
  const isMax = !isCounted(metric) && NOT_SUMMED.test(metric.name);
  return isMax ? { ...metric, aggregator: 'max' } : metric;
}

interface WorkerStats {
  /** Workers that answer requests. */
  readonly workers: number;
}

/** Metrics of a server of several processes, which its parent has. */
export function createWorkerMetrics(registry: Registry) {
  const { gauge, observe } = createInstruments<WorkerStats>(registry);
  gauge('tongate_workers', 'Processes that answer requests', 'workers');
  return { observe };
}
