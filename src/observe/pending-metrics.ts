import type { Registry } from 'prom-client';
import { createInstruments } from './instruments.ts';

/** Outcome of the arrival of a message: it is shown, or why not. */
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

export type PendingEnd = 'indexed' | 'invalidated' | 'expired' | 'crowded_out';

export type FeedMessage = 'taken' | 'broken' | 'left_out';

export interface PendingStats {
  readonly traces: number;
  readonly bytes: number;
  readonly waiting: number;
  /** The newest masterchain block against which messages were checked. */
  readonly checkedSeqno: number;
  /** Undefined without a feed. */
  readonly feedConnected: boolean | undefined;
}

export type PendingMetrics = ReturnType<typeof createPendingMetrics>;

/** The counters that the life of a message needs. */
export type PendingCounts = Pick<PendingMetrics, 'arrived' | 'ended' | 'shown' | 'emulated'>;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createPendingMetrics(registry: Registry) {
  const { count, countBy, histogram, gauge, observe } = createInstruments<PendingStats>(registry);
  const counts = {
    arrived: countBy<PendingArrival>(
      'tongate_pending_messages_total',
      'Sent messages by outcome: shown, or the reason why not',
      'outcome',
    ),
    ended: countBy<PendingEnd>('tongate_pending_ends_total', 'Messages no longer shown, by reason', 'reason'),
    feed: countBy<FeedMessage>(
      'tongate_pending_feed_messages_total',
      'Messages of the feed by outcome',
      'outcome',
    ),
  };
  const storeErrors = count(
    'tongate_pending_store_errors_total',
    'Failures of the shared store of pending messages',
  );
  const shown = histogram(
    'tongate_pending_shown_seconds',
    'Time from the arrival of a message until it is shown',
    BUCKETS_SECONDS,
  );
  const emulated = histogram(
    'tongate_pending_emulation_seconds',
    'Time in the virtual machine per prediction',
    BUCKETS_SECONDS,
  );
  const emulations = histogram(
    'tongate_emulation_duration_seconds',
    'Duration of emulations by outcome, including waits',
    BUCKETS_SECONDS,
    ['outcome'],
  );
  const emulatedTransactions = count(
    'tongate_emulated_transactions_total',
    'Transactions executed in emulations',
  );
  gauge('tongate_pending_traces', 'Pending traces of this process', 'traces');
  gauge('tongate_pending_bytes', 'Approximate memory of the pending traces', 'bytes');
  gauge('tongate_pending_waiting', 'Messages waiting for their first emulation', 'waiting');
  gauge('tongate_pending_feed_connected', 'Whether the message feed is connected', 'feedConnected');
  return {
    ...counts,
    storeError: () => storeErrors(),
    shown: (seconds: number) => shown.observe(seconds),
    emulated: (seconds: number) => emulated.observe(seconds),
    /** Counts an emulation, for pending messages or a request. */
    emulation: (outcome: string, transactions: number, seconds: number) => {
      emulations.observe({ outcome }, seconds);
      emulatedTransactions(transactions);
    },
    observe,
  };
}
