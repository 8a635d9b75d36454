import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** State of one lite server. Its name is its index in the config, since its address may be private. */
export interface LiteServerStats {
  readonly index: number;
  readonly state: string;
  readonly lagBlocks: number | undefined;
  readonly latencyMs: number;
  readonly inFlight: number;
  readonly queued: number;
  readonly oldestSeqno: number | undefined;
}

/** State of a group of lite servers. */
export interface LiteGroupStats {
  readonly group: string;
  readonly headSeqno: number | undefined;
  /** Age of the newest block. */
  readonly headAgeSeconds: number | undefined;
  readonly servers: readonly LiteServerStats[];
}

interface LiteCounts {
  queryDone(method: string, outcome: string, seconds: number): void;
  serverFailed(index: number, fault: string): void;
}

const LITE_BUCKETS_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface LiteMetrics {
  readonly countsOf: (group: string) => LiteCounts;
  /** Sets where gauges read the present state. */
  readonly observe: (read: () => readonly LiteGroupStats[]) => void;
}

/** Registers the metrics of lite servers. */
export function createLiteMetrics(registry: Registry): LiteMetrics {
  let read: () => readonly LiteGroupStats[] = () => [];
  const registers = [registry];
  const queries = new Histogram({
    name: 'tongate_lite_query_duration_seconds',
    help: 'Duration of lite server queries by outcome',
    labelNames: ['group', 'method', 'outcome'],
    buckets: LITE_BUCKETS_SECONDS,
    registers,
  });
  const failures = new Counter({
    name: 'tongate_lite_server_failures_total',
    help: 'Failures of lite servers by kind',
    labelNames: ['group', 'server', 'fault'],
    registers,
  });
  addGauges(registers, () => read());
  return {
    countsOf: (group) => ({
      queryDone: (method, outcome, seconds) => queries.observe({ group, method, outcome }, seconds),
      serverFailed: (index, fault) => failures.inc({ group, server: index, fault }),
    }),
    observe: (reader) => {
      read = reader;
    },
  };
}

type GroupValue = (group: LiteGroupStats) => number | undefined;
type ServerValue = (server: LiteServerStats) => number | undefined;

const GROUP_GAUGES: readonly (readonly [name: string, help: string, value: GroupValue])[] = [
  ['head_seqno', 'Seqno of the newest masterchain block', ({ headSeqno }) => headSeqno],
  ['head_age_seconds', 'Age of the newest masterchain block', ({ headAgeSeconds }) => headAgeSeconds],
  ['servers', 'Lite servers in the config', ({ servers }) => servers.length],
];

const SERVER_GAUGES: readonly (readonly [name: string, help: string, value: ServerValue])[] = [
  ['server_live', '1 if the lite server is in use, else 0', ({ state }) => (state === 'live' ? 1 : 0)],
  ['server_lag_blocks', 'Blocks that the lite server is behind', ({ lagBlocks }) => lagBlocks],
  ['server_latency_seconds', 'Average latency of the lite server', ({ latencyMs }) => latencyMs / 1000],
  ['server_in_flight', 'Queries in flight to the lite server', ({ inFlight }) => inFlight],
  ['server_queued', 'Queries waiting for the lite server', ({ queued }) => queued],
  [
    'server_oldest_seqno',
    'Seqno of the oldest masterchain block that the lite server has',
    ({ oldestSeqno }) => oldestSeqno,
  ],
];

function addGauges(registers: Registry[], read: () => readonly LiteGroupStats[]): void {
  for (const [name, help, value] of GROUP_GAUGES)
    addGauge(registers, name, help, ['group'], (set) => {
      for (const group of read()) set({ group: group.group }, value(group));
    });
  for (const [name, help, value] of SERVER_GAUGES)
    addGauge(registers, name, help, ['group', 'server'], (set) => {
      for (const { group, servers } of read())
        for (const server of servers) set({ group, server: server.index }, value(server));
    });
}

type Labels = Readonly<Record<string, string | number>>;

function addGauge(
  registers: Registry[],
  name: string,
  help: string,
  labelNames: string[],
  collectInto: (set: (labels: Labels, value: number | undefined) => void) => void,
): void {
  new Gauge({
    name: `tongate_lite_${name}`,
    help,
    labelNames,
    registers,
    collect() {
      this.reset();
      collectInto((labels, value) => {
        if (value !== undefined) this.set(labels, value);
      });
    },
  });
}

/** State of the virtual machine. */
export interface VmStats {
  readonly threads: number;
  readonly busy: number;
  readonly queued: number;
  /** TVM version of the emulator, and of the network if known. */
  readonly tvmVersion: number;
  readonly networkVersion: number | undefined;
}

interface VmCounts {
  jobDone(outcome: string, runs: number, seconds: number): void;
  threadTime(lane: string, seconds: number, waitedSeconds: number): void;
  timeSpent(): void;
  threadEnded(reason: string): void;
}

const VM_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface VmMetrics extends VmCounts {
  /** Sets where gauges read the present state. */
  readonly observe: (read: () => VmStats) => void;
}

/** Registers the metrics of the virtual machine. */
export function createVmMetrics(registry: Registry): VmMetrics {
  let read: (() => VmStats) | undefined;
  const registers = [registry];
  const jobs = new Histogram({
    name: 'tongate_vm_job_duration_seconds',
    help: 'Duration of TVM jobs by outcome, including the wait for a thread',
    labelNames: ['outcome'],
    buckets: VM_BUCKETS_SECONDS,
    registers,
  });
  const ends = new Counter({
    name: 'tongate_vm_thread_ends_total',
    help: 'TVM threads that were replaced, by reason',
    labelNames: ['reason'],
    registers,
  });
  const threadSeconds = new Counter({
    name: 'tongate_vm_thread_seconds_total',
    help: 'Time of TVM threads by lane: light and heavy runs of requests, and emulation',
    labelNames: ['lane'],
    registers,
  });
  const waits = new Histogram({
    name: 'tongate_vm_wait_seconds',
    help: 'Time that TVM jobs waited for a thread, by lane',
    labelNames: ['lane'],
    buckets: VM_BUCKETS_SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: 'tongate_vm_budget_refusals_total',
    help: 'Calls that were refused because the caller had used up its TVM time (VM_MS_PER_RPS)',
    registers,
  });
  const gauge = (name: string, help: string, value: (figures: VmStats) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const figure = read && value(read());
        if (figure !== undefined) this.set(figure);
      },
    });
  gauge('tongate_vm_threads', 'Running TVM threads', ({ threads }) => threads);
  gauge('tongate_vm_busy_threads', 'TVM threads with a job', ({ busy }) => busy);
  gauge('tongate_vm_queued_jobs', 'Jobs waiting for a TVM thread', ({ queued }) => queued);
  gauge(
    'tongate_vm_version',
    'Newest TVM version that the emulator supports',
    ({ tvmVersion }) => tvmVersion,
  );
  gauge(
    'tongate_network_version',
    'TVM version of the network; 0 until it is known',
    ({ networkVersion }) => networkVersion,
  );
  return {
    jobDone: (outcome, _runs, seconds) => jobs.observe({ outcome }, seconds),
    threadTime: (lane, seconds, waitedSeconds) => {
      threadSeconds.inc({ lane }, seconds);
      waits.observe({ lane }, waitedSeconds);
    },
    timeSpent: () => refusals.inc(),
    threadEnded: (reason) => ends.inc({ reason }),
    observe: (reader) => {
      read = reader;
    },
  };
}
