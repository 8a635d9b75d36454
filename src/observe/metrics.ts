import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  type Metric,
  type MetricValueWithName,
  Registry,
} from 'prom-client';

/** Why a call was turned away; which interface it was for shows in the requests by status. */
type RefusalReason = 'unknown_key' | 'network_not_allowed' | 'rate_limited' | 'overloaded';

/** How many connections a database pool holds, and how many callers wait for one. */
interface PoolCounts {
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

/** From an answer out of memory to the longest wait that a proxy in front usually allows. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const REQUESTS = 'tongate_http_requests_total';
const DURATION = 'tongate_http_request_duration_seconds';

/** What is counted of one operation. */
interface Cell {
  readonly labels: { readonly interface: string; readonly operation: string };
  readonly statuses: Map<number, number>;
  /** Requests by the bucket they fall in (not those below it); the last one has no upper bound. */
  readonly buckets: Float64Array;
  seconds: number;
}

type Values = MetricValueWithName<string>[];

/**
 * Adds the count and the times of requests to a registry and returns what counts a request. prom-client writes the
 * labels into a new string at every count, which took 1.6 µs a request; here labels meet figures only when they are read.
 */
function createRequestMetrics(
  registry: Registry,
): (interfaceName: string, operation: string, status: number, seconds: number) => void {
  const cells = new Map<string, Map<string, Cell>>();

  function addCell(interfaceName: string, operation: string): Cell {
    const operations = cells.get(interfaceName) ?? new Map<string, Cell>();
    const cell: Cell = {
      labels: { interface: interfaceName, operation },
      statuses: new Map(),
      buckets: new Float64Array(BUCKETS_SECONDS.length + 1),
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
    // `get` is all that a registry asks of a metric; the type only lists prom-client's own classes.
    registry.registerMetric(metric as unknown as Metric);
  }

  register(REQUESTS, 'Requests answered', 'counter', countValues);
  register(DURATION, 'Time from the arrival of a request to its answer', 'histogram', durationValues);

  return (interfaceName, operation, status, seconds) => {
    const cell = cells.get(interfaceName)?.get(operation) ?? addCell(interfaceName, operation);
    cell.statuses.set(status, (cell.statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] as number)) bucket += 1;
    cell.buckets[bucket] = (cell.buckets[bucket] as number) + 1;
    cell.seconds += seconds;
  };
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
    const le = BUCKETS_SECONDS[at] ?? '+Inf';
    return { metricName: `${DURATION}_bucket`, labels: { ...labels, le }, value: count };
  });
  values.push({ metricName: `${DURATION}_sum`, labels, value: seconds });
  values.push({ metricName: `${DURATION}_count`, labels, value: count });
  return values;
}
