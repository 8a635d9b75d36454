import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What the virtual machine is doing. */
export interface VmFigures {
  readonly threads: number;
  readonly busy: number;
  readonly queued: number;
  /** The newest rules of TVM that it knows, and those of the network; undefined before they are known. */
  readonly tvmVersion: number;
  readonly networkVersion: number | undefined;
}

/** Where the virtual machine counts. */
export interface VmCounts {
  jobDone(outcome: string, runs: number, seconds: number): void;
  threadEnded(reason: string): void;
}

const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The figures of the virtual machine. */
export interface VmMetrics extends VmCounts {
  /** Says where the present state is read whenever the figures are. */
  readonly observe: (read: () => VmFigures) => void;
}

/** Adds the figures of the virtual machine to a registry. */
export function createVmMetrics(registry: Registry): VmMetrics {
  let read: (() => VmFigures) | undefined;
  const registers = [registry];
  const jobs = new Histogram({
    name: 'tongate_vm_job_duration_seconds',
    help: 'Time that runs of TVM took, the wait for a thread included, by how they ended',
    labelNames: ['outcome'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const ends = new Counter({
    name: 'tongate_vm_thread_ends_total',
    help: 'Threads that were ended and replaced',
    labelNames: ['reason'],
    registers,
  });
  const gauge = (name: string, help: string, value: (figures: VmFigures) => number | undefined) =>
    new Gauge({
      ...{ name, help, registers },
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
