import type { Registry } from 'prom-client';
import { createInstruments } from './instruments.ts';

export interface StreamStats {
  readonly connections: Readonly<Record<'sse' | 'ws', number>>;
  readonly watched: number;
  /** Messages that clients have not read yet. */
  readonly queued: number;
  /** Streams that are being sent what they missed. */
  readonly joining: number;
  /** Seqnos that are indexed and not sent yet. */
  readonly lagSeqnos: number;
  /** The last seqno whose events were sent, and the last one whose traces were. */
  readonly lastSeqno: number;
  readonly lastTraceSeqno: number;
  /** Seqnos whose traces wait for classification. */
  readonly lagTraceSeqnos: number;
}

export type StreamMetrics = ReturnType<typeof createStreamMetrics>;

const BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createStreamMetrics(registry: Registry) {
  const { count, countBy, histogram, gauge, gauges, observe } = createInstruments<StreamStats>(registry);
  const counts = {
    event: countBy('tongate_stream_events_total', 'Events sent to streaming clients, by type', 'type'),
    gap: countBy(
      'tongate_stream_gaps_total',
      'Ranges of events that clients were not sent, by reason',
      'reason',
    ),
    replayed: count('tongate_stream_replayed_events_total', 'Events replayed from the index'),
    refused: countBy('tongate_stream_refused_total', 'Refused streams and messages, by reason', 'reason'),
  };
  const lag = histogram(
    'tongate_stream_lag_seconds',
    'Time from the writing of a block to the index until its events are handed to clients',
    BUCKETS_SECONDS,
  );
  gauges(
    'tongate_stream_connections',
    'Open streams, by transport',
    ['transport'],
    ({ connections }) => Object.entries(connections),
    ([transport]) => ({ transport }),
    ([, count]) => count,
  );
  gauge('tongate_stream_watched', 'Addresses and traces that streams watch', 'watched');
  gauge('tongate_stream_queued_messages', 'Messages that clients have not read yet', 'queued');
  gauge('tongate_stream_joining', 'Streams that are being sent what they missed', 'joining');
  gauge(
    'tongate_stream_lag_seqnos',
    'Masterchain blocks that are indexed and whose events were not sent yet',
    'lagSeqnos',
  );
  gauge(
    'tongate_stream_lag_trace_seqnos',
    'Masterchain blocks whose events were sent except for actions and traces, which wait for classification',
    'lagTraceSeqnos',
  );
  return {
    ...counts,
    /** Seconds from the writing of a block until its events are handed to clients. */
    lag: (seconds: number) => lag.observe(seconds),
    observe,
  };
}
