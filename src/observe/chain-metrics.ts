import type { Registry } from 'prom-client';
import { createInstruments } from './instruments.ts';

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

export interface LiteGroupStats {
  readonly group: string;
  readonly headSeqno: number | undefined;
  readonly headAgeSeconds: number | undefined;
  readonly servers: readonly LiteServerStats[];
}

const LITE_BUCKETS_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type LiteMetrics = ReturnType<typeof createLiteMetrics>;

export function createLiteMetrics(registry: Registry) {
  const { counter, histogram, gauges, observe } = createInstruments<readonly LiteGroupStats[]>(registry);
  const ofGroup = (name: string, help: string, value: (group: LiteGroupStats) => number | undefined) =>
    gauges(
      `tongate_lite_${name}`,
      help,
      ['group'],
      (groups) => groups,
      ({ group }) => ({ group }),
      value,
    );
  const ofServer = (name: string, help: string, value: (server: LiteServerStats) => number | undefined) =>
    gauges(
      `tongate_lite_server_${name}`,
      help,
      ['group', 'server'],
      (groups) => groups.flatMap(({ group, servers }) => servers.map((server) => ({ group, server }))),
      ({ group, server }) => ({ group, server: server.index }),
      ({ server }) => value(server),
    );
  const queries = histogram(
    'tongate_lite_query_duration_seconds',
    'Duration of lite server queries by outcome',
    LITE_BUCKETS_SECONDS,
    ['group', 'method', 'outcome'],
  );
  const failures = counter('tongate_lite_server_failures_total', 'Failures of lite servers by kind', [
    'group',
    'server',
    'fault',
  ]);
  ofGroup('head_seqno', 'Seqno of the newest masterchain block', ({ headSeqno }) => headSeqno);
  ofGroup('head_age_seconds', 'Age of the newest masterchain block', ({ headAgeSeconds }) => headAgeSeconds);
  ofGroup('servers', 'Lite servers in the config', ({ servers }) => servers.length);
  ofServer('live', '1 if the lite server is in use, else 0', ({ state }) => (state === 'live' ? 1 : 0));
  ofServer('lag_blocks', 'Blocks that the lite server is behind', ({ lagBlocks }) => lagBlocks);
  ofServer('latency_seconds', 'Average latency of the lite server', ({ latencyMs }) => latencyMs / 1000);
  ofServer('in_flight', 'Queries in flight to the lite server', ({ inFlight }) => inFlight);
  ofServer('queued', 'Queries waiting for the lite server', ({ queued }) => queued);
  ofServer(
    'oldest_seqno',
    'Seqno of the oldest masterchain block that the lite server has',
    ({ oldestSeqno }) => oldestSeqno,
  );
  return {
    countsOf: (group: string) => ({
      queryDone: (method: string, outcome: string, seconds: number) =>
        queries.observe({ group, method, outcome }, seconds),
      serverFailed: (index: number, fault: string) => failures.inc({ group, server: index, fault }),
    }),
    observe,
  };
}

export interface VmStats {
  readonly threads: number;
  readonly busy: number;
  readonly queued: number;
  /** TVM version of the emulator, and of the network if known. */
  readonly tvmVersion: number;
  readonly networkVersion: number | undefined;
}

const VM_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createVmMetrics(registry: Registry) {
  const { count, countBy, histogram, gauge, observe } = createInstruments<VmStats>(registry);
  const jobs = histogram(
    'tongate_vm_job_duration_seconds',
    'Duration of TVM jobs by outcome, including the wait for a thread',
    VM_BUCKETS_SECONDS,
    ['outcome'],
  );
  const threadEnded = countBy(
    'tongate_vm_thread_ends_total',
    'TVM threads that were replaced, by reason',
    'reason',
  );
  const threadSeconds = countBy(
    'tongate_vm_thread_seconds_total',
    'Time of TVM threads by lane: light and heavy runs of requests, and emulation',
    'lane',
  );
  const waits = histogram(
    'tongate_vm_wait_seconds',
    'Time that TVM jobs waited for a thread, by lane',
    VM_BUCKETS_SECONDS,
    ['lane'],
  );
  const timeSpent = count(
    'tongate_vm_budget_refusals_total',
    'Calls that were refused because the caller had used up its TVM time (VM_MS_PER_RPS)',
  );
  gauge('tongate_vm_threads', 'Running TVM threads', 'threads');
  gauge('tongate_vm_busy_threads', 'TVM threads with a job', 'busy');
  gauge('tongate_vm_queued_jobs', 'Jobs waiting for a TVM thread', 'queued');
  gauge('tongate_vm_version', 'Newest TVM version that the emulator supports', 'tvmVersion');
  gauge('tongate_network_version', 'TVM version of the network; 0 until it is known', 'networkVersion');
  return {
    jobDone: (outcome: string, _runs: number, seconds: number) => jobs.observe({ outcome }, seconds),
    threadTime: (lane: string, seconds: number, waitedSeconds: number) => {
      threadSeconds(lane, seconds);
      waits.observe({ lane }, waitedSeconds);
    },
    timeSpent,
    threadEnded,
    observe,
  };
}
