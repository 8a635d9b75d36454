import type { Metric, MetricValueWithName, Registry } from 'prom-client';

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
export function createRequestMetrics(
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
      ...{ name, help, type, aggregator: 'sum' },
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
