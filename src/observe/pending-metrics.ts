import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What became of a message that was accepted: it is shown, or why not. */
export type PendingArrival =
  | 'shown'
  | 'known'
  | 'indexed'
  | 'refused'
  | 'failed'
  | 'line_full'
  | 'too_many_of_key'
  | 'budget_spent'
  | 'ended';

/** Why a message is not shown any more. */
export type PendingEnd = 'indexed' | 'invalidated' | 'expired' | 'crowded_out';

/** What becomes of a message that a feed brings. */
export type FeedMessage = 'taken' | 'broken' | 'left_out';

/** Where the life of pending messages is counted. */
export interface PendingCounts {
  arrived(arrival: PendingArrival): void;
  ended(end: PendingEnd): void;
  /** From when a message was accepted until its trace can be found. */
  shown(seconds: number): void;
  /** Time of the virtual machine to predict what a message does. */
  emulated(seconds: number): void;
  storeError(): void;
  feed(message: FeedMessage): void;
}

/** What is kept at the moment. */
export interface PendingStats {
  readonly traces: number;
  readonly bytes: number;
  readonly waiting: number;
  /** Undefined without a feed. */
  readonly feedConnected: boolean | undefined;
}

/** The figures of pending messages. */
export interface PendingMetrics extends PendingCounts {
  /** Counts an emulation, whoever asked for it: how it ended, its transactions, and all the time that it took. */
  readonly emulation: (outcome: string, transactions: number, seconds: number) => void;
  /** Says where the present state is read whenever the figures are. */
  readonly observe: (read: () => PendingStats) => void;
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Adds the figures of pending messages to a registry. */
export function createPendingMetrics(registry: Registry): PendingMetrics {
  let read: (() => PendingStats) | undefined;
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const times = (name: string, help: string) =>
    new Histogram({ name, help, buckets: BUCKETS_SECONDS, registers });
  const gauge = (name: string, help: string, value: (figures: PendingStats) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const figure = read && value(read());
        if (figure !== undefined) this.set(figure);
      },
    });
  const arrivals = counter(
    'tongate_pending_messages_total',
    'Messages that were accepted, by what became of them: shown, or why not',
    ['outcome'],
  );
  const ends = counter('tongate_pending_ends_total', 'Messages that are not shown any more, by the reason', [
    'reason',
  ]);
  const storeErrors = counter(
    'tongate_pending_store_errors_total',
    'Failures of the store that holds the shared pending messages',
  );
  const feeds = counter('tongate_pending_feed_messages_total', 'Messages that the feed brought', ['outcome']);
  const shown = times(
    'tongate_pending_shown_seconds',
    'Time from when a message was accepted until it is shown',
  );
  const emulated = times(
    'tongate_pending_emulation_seconds',
    'Time that the virtual machine took to predict what a message does',
  );
  const emulations = new Histogram({
    name: 'tongate_emulation_duration_seconds',
    help: 'Time that emulations took, waits included, by how they ended',
    labelNames: ['outcome'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const emulatedTransactions = counter(
    'tongate_emulated_transactions_total',
    'Transactions that were made in emulations',
  );
  gauge('tongate_pending_traces', 'Messages of this process that are shown', ({ traces }) => traces);
  gauge('tongate_pending_bytes', 'Memory that they take, about', ({ bytes }) => bytes);
  gauge('tongate_pending_waiting', 'Messages that wait for their emulation', ({ waiting }) => waiting);
  gauge('tongate_pending_feed_connected', 'Whether the feed of messages is connected', (figures) =>
    figures.feedConnected === undefined ? undefined : Number(figures.feedConnected),
  );
  return {
    arrived: (outcome) => arrivals.inc({ outcome }),
    ended: (reason) => ends.inc({ reason }),
    shown: (seconds) => shown.observe(seconds),
    emulated: (seconds) => emulated.observe(seconds),
    storeError: () => storeErrors.inc(),
    feed: (outcome) => feeds.inc({ outcome }),
    emulation: (outcome, transactions, seconds) => {
      emulations.observe({ outcome }, seconds);
      emulatedTransactions.inc(transactions);
    },
    observe: (reader) => {
      read = reader;
    },
  };
}
