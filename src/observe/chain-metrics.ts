import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What is known of one lite server; a server has its position in the config for a name, since its address may be private. */
export interface LiteServerStats {
  readonly index: number;
  readonly state: string;
  readonly lagBlocks: number | undefined;
  readonly latencyMs: number;
  readonly inFlight: number;
  readonly queued: number;
  readonly oldestSeqno: number | undefined;
}

/** A group of lite servers as it is now. */
export interface LiteGroupStats {
  readonly group: string;
  readonly headSeqno: number | undefined;
  /** Seconds since the newest block was made. */
  readonly headAgeSeconds: number | undefined;
  readonly servers: readonly LiteServerStats[];
}

/** Where one group counts. */
interface LiteCounts {
  queryDone(method: string, outcome: string, seconds: number): void;
  serverFailed(index: number, fault: string): void;
}

const LITE_BUCKETS_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The figures of all lite servers. */
export interface LiteMetrics {
  readonly countsOf: (group: string) => LiteCounts;
  /** Says where the present state is read whenever the figures are. */
  readonly observe: (read: () => readonly LiteGroupStats[]) => void;
}

/** Adds the figures of lite servers to a registry. */
export function createLiteMetrics(registry: Registry): LiteMetrics {
  let read: () => readonly LiteGroupStats[] = () => [];
  const registers = [registry];
  const queries = new Histogram({
    name: 'tongate_lite_query_duration_seconds',
    help: 'Time that queries to lite servers took, by how they ended',
    labelNames: ['group', 'method', 'outcome'],
    buckets: LITE_BUCKETS_SECONDS,
    registers,
  });
  const failures = new Counter({
    name: 'tongate_lite_server_failures_total',
    help: 'What a lite server did wrong',
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
  ['head_seqno', 'Newest masterchain block', ({ headSeqno }) => headSeqno],
  ['head_age_seconds', 'Time since the newest block was made', ({ headAgeSeconds }) => headAgeSeconds],
  ['servers', 'Lite servers in the config', ({ servers }) => servers.length],
];

const SERVER_GAUGES: readonly (readonly [name: string, help: string, value: ServerValue])[] = [
  ['server_live', '1 when a lite server is asked, else 0', ({ state }) => (state === 'live' ? 1 : 0)],
  ['server_lag_blocks', 'Blocks that a lite server is behind', ({ lagBlocks }) => lagBlocks],
  ['server_latency_seconds', 'Average time of its latest answers', ({ latencyMs }) => latencyMs / 1000],
  ['server_in_flight', 'Queries that a lite server is busy with', ({ inFlight }) => inFlight],
  ['server_queued', 'Queries that wait for a lite server', ({ queued }) => queued],
  ['server_oldest_seqno', 'Oldest masterchain block it has', ({ oldestSeqno }) => oldestSeqno],
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

/** What the virtual machine is doing. */
export interface VmStats {
  readonly threads: number;
  readonly busy: number;
  readonly queued: number;
  /** The newest rules of TVM that it knows, and those of the network; undefined before they are known. */
  readonly tvmVersion: number;
  readonly networkVersion: number | undefined;
}

/** Where the virtual machine counts. */
interface VmCounts {
  jobDone(outcome: string, runs: number, seconds: number): void;
  threadEnded(reason: string): void;
}

const VM_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The figures of the virtual machine. */
interface VmMetrics extends VmCounts {
  /** Says where the present state is read whenever the figures are. */
  readonly observe: (read: () => VmStats) => void;
}

/** Adds the figures of the virtual machine to a registry. */
export function createVmMetrics(registry: Registry): VmMetrics {
  let read: (() => VmStats) | undefined;
  const registers = [registry];
  const jobs = new Histogram({
    name: 'tongate_vm_job_duration_seconds',
    help: 'Time that runs of TVM took, the wait for a thread included, by how they ended',
    labelNames: ['outcome'],
    buckets: VM_BUCKETS_SECONDS,
    registers,
  });
  const ends = new Counter({
    name: 'tongate_vm_thread_ends_total',
    help: 'Threads that were ended and replaced',
    labelNames: ['reason'],
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
  gauge('tongate_vm_threads', 'Threads that run', ({ threads }) => threads);
  gauge('tongate_vm_busy_threads', 'Threads with a job', ({ busy }) => busy);
  gauge('tongate_vm_queued_jobs', 'Jobs that wait for a thread', ({ queued }) => queued);
  gauge('tongate_vm_version', 'Newest version of TVM that runs here', ({ tvmVersion }) => tvmVersion);
  gauge(
    'tongate_network_version',
    'Version of TVM that the network asks for; 0 before it is known',
    ({ networkVersion }) => networkVersion,
  );
  return {
    jobDone: (outcome, _runs, seconds) => jobs.observe({ outcome }, seconds),
    threadEnded: (reason) => ends.inc({ reason }),
    observe: (reader) => {
      read = reader;
    },
  };
}
