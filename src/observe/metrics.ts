import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  type Metric,
  type MetricValueWithName,
  Registry,
} from 'prom-client';
import { watchLoop } from '../lib/loop-work.ts';
import { createInstruments } from './instruments.ts';

type RefusalReason =
  | 'unknown_key'
  | 'network_not_allowed'
  | 'rate_limited'
  | 'response_bytes'
  | 'read_time'
  | 'overloaded'
  | 'connections';

interface PoolCounts {
  readonly name: string;
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
  /** Of replicas with a lag limit. */
  readonly lagMs?: number;
}

interface MetricsOptions {
  /** Shown as labels of `tongate_build_info`. */
  readonly build?: { readonly version: string; readonly network: string };
  /** Includes the metrics of Node and the process; off if several applications share a process. */
  readonly runtime?: boolean;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The requests of an operation since the start. */
export interface RequestTotals {
  readonly interface: string;
  readonly operation: string;
  readonly requests: number;
  /** 5xx. */
  readonly errors: number;
  /** 429. */
  readonly limited: number;
  /** Requests by duration: per bucket of `REQUEST_BUCKETS_SECONDS`, and one more for longer ones. */
  readonly buckets: readonly number[];
}

export function createMetrics({ build, runtime = true }: MetricsOptions = {}) {
  const registry = new Registry();
  const registers = [registry];
  const { count, countBy, gauge, histogram, observe } = createInstruments<{
    readonly bytes: number | undefined;
  }>(registry);
  const countRefused = countBy<RefusalReason>(
    'tongate_refused_total',
    'Requests and connections rejected before any work, by reason',
    'reason',
  );
  const slowRead = count(
    'tongate_slow_reads_total',
    'Reads of v3 that took long or skipped many rows (SLOW_READS)',
  );
  const rateStoreError = count('tongate_rate_store_errors_total', 'Failures of the shared rate limit store');
  const refusals = new Map<string, number>();
  const requests = createRequestMetrics(registry);
  let readPools: () => readonly PoolCounts[] = () => [];
  new Gauge({
    name: 'tongate_database_pool_connections',
    help: 'Database connections by state, and callers waiting for one',
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
  let countWaiting: () => Readonly<Record<string, number>> = () => ({});
  new Gauge({
    name: 'tongate_waiting_reads',
    help: 'Reads of v3 that wait for a connection (quick), or for their turn (slow), and large responses that wait for theirs',
    labelNames: ['turn'],
    registers,
    collect() {
      for (const [turn, count] of Object.entries(countWaiting())) this.set({ turn }, count);
    },
  });
  new Gauge({
    name: 'tongate_database_replica_lag_seconds',
    help: 'Lag of replicas behind the primary at the last check',
    labelNames: ['pool'],
    registers,
    collect() {
      this.reset();
      for (const { name: pool, lagMs } of readPools())
        if (lagMs !== undefined) this.set({ pool }, lagMs / 1000);
    },
  });
  gauge('tongate_database_bytes', 'Size of the database, measured once a minute', 'bytes');
  if (build !== undefined)
    new Gauge({
      name: 'tongate_build_info',
      help: 'Version and network of the process; always 1',
      labelNames: ['version', 'network'],
      registers,
    }).set(build, 1);
  // Under the usual names of Node metrics, without our prefix.
  if (runtime) {
    collectDefaultMetrics({ register: registry });
    const held = histogram(
      'tongate_loop_work_seconds',
      'How long one kind of work held the event loop, of all that held it for a millisecond or more',
      LOOP_WORK_BUCKETS_SECONDS,
      ['work'],
    );
    watchLoop((work, ms) => held.observe({ work }, ms / 1000));
  }

  return {
    /** For parts with their own metrics; names start with `tongate_`. */
    registry,
    contentType: registry.contentType as string,
    render: () => registry.metrics(),
    requestDone: requests.done,
    requestTotals: requests.totals,
    /** Rejected requests and connections since the start, by reason. */
    refusedTotals: (): ReadonlyMap<string, number> => refusals,
    responseSent: createResponseMetrics(registry),
    refused(reason: RefusalReason): void {
      countRefused(reason);
      refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    },
    rateStoreError,
    slowRead: () => slowRead(),
    /** Sets where a gauge reads how many reads wait, by what for. */
    observeWaitingReads(count: () => Readonly<Record<string, number>>): void {
      countWaiting = count;
    },
    /** Sets where gauges read the state of the database pools. */
    observePools(read: () => readonly PoolCounts[]): void {
      readPools = read;
    },
    /** Sets where a gauge reads the size of the database, which is undefined until it is known. */
    observeDatabaseBytes: (read: () => number | undefined) => observe(() => ({ bytes: read() })),
  };
}

const LOOP_WORK_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];

/** From a cached response to the usual timeout of a proxy. */
export const REQUEST_BUCKETS_SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
const REQUESTS = 'tongate_http_requests_total';
const DURATION = 'tongate_http_request_duration_seconds';

interface Cell {
  readonly labels: { readonly interface: string; readonly operation: string };
  readonly statuses: Map<number, number>;
  /** Requests per bucket, not cumulative; the last bucket has no upper bound. */
  readonly buckets: Float64Array;
  seconds: number;
}

type Values = MetricValueWithName<string>[];

/**
 * Registers the request metrics and returns the function that counts a request, and the one that reads the counts. prom-client builds a label string on
 * every count, which took 1.6 µs per request; here labels are written only when the metrics are read.
 */
function createRequestMetrics(registry: Registry) {
  const cells = new Map<string, Map<string, Cell>>();

  function addCell(interfaceName: string, operation: string): Cell {
    const operations = cells.get(interfaceName) ?? new Map<string, Cell>();
    const cell: Cell = {
      labels: { interface: interfaceName, operation },
      statuses: new Map(),
      buckets: new Float64Array(REQUEST_BUCKETS_SECONDS.length + 1),
      seconds: 0,
    };
    cells.set(interfaceName, operations.set(operation, cell));
    return cell;
  }

  function register(name: string, help: string, type: string, valuesOf: (cell: Cell) => Values): void {
    const read = async () => ({
      name,
      help,
      type,
      aggregator: 'sum',
      values: [...cells.values()].flatMap((operations) => [...operations.values()].flatMap(valuesOf)),
    });
    const metric = { name, help, type, get: read, reset: () => cells.clear() };
    // A registry only calls `get`; its type lists prom-client's own classes.
    registry.registerMetric(metric as unknown as Metric);
  }

  register(REQUESTS, 'Requests by operation and status', 'counter', countValues);
  register(DURATION, 'Duration of requests', 'histogram', durationValues);

  const done = (interfaceName: string, operation: string, status: number, seconds: number): void => {
    const cell = cells.get(interfaceName)?.get(operation) ?? addCell(interfaceName, operation);
    cell.statuses.set(status, (cell.statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < REQUEST_BUCKETS_SECONDS.length && seconds > (REQUEST_BUCKETS_SECONDS[bucket] as number))
      bucket += 1;
    cell.buckets[bucket] = (cell.buckets[bucket] as number) + 1;
    cell.seconds += seconds;
  };
  return {
    done,
    /** The counts since the start, by operation. */
    totals: () => [...cells.values()].flatMap((operations) => [...operations.values()].map(totalsOf)),
  };
}

const RATE_LIMITED = 429;

function totalsOf({ labels, statuses, buckets }: Cell): RequestTotals {
  let [requests, errors] = [0, 0];
  for (const [status, count] of statuses) {
    requests += count;
    if (status >= 500) errors += count;
  }
  return { ...labels, requests, errors, limited: statuses.get(RATE_LIMITED) ?? 0, buckets: [...buckets] };
}

/** Registers the counter of response bytes, which is written when the metrics are read, for the same reason. */
function createResponseMetrics(registry: Registry): (interfaceName: string, bytes: number) => void {
  const sent = new Map<string, number>();
  new Counter({
    name: 'tongate_http_response_bytes_total',
    help: 'Bytes of responses before compression, by interface',
    labelNames: ['interface'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [interfaceName, bytes] of sent) this.inc({ interface: interfaceName }, bytes);
    },
  });
  return (interfaceName, bytes) => sent.set(interfaceName, (sent.get(interfaceName) ?? 0) + bytes);
}

function countValues({ labels, statuses }: Cell): Values {
  return [...statuses].map(([status, value]) => ({
    metricName: REQUESTS,
    labels: { ...labels, status },
    value,
  }));
}

function durationValues({ labels, buckets, seconds }: Cell): Values {
  let count = 0;
  const values: Values = [...buckets].map((inBucket, at) => {
    count += inBucket;
    const le = REQUEST_BUCKETS_SECONDS[at] ?? '+Inf';
    return { metricName: `${DURATION}_bucket`, labels: { ...labels, le }, value: count };
  });
  values.push({ metricName: `${DURATION}_sum`, labels, value: seconds });
  values.push({ metricName: `${DURATION}_count`, labels, value: count });
  return values;
}
