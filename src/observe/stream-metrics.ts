import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The present state of streaming. */
export interface StreamStats {
  readonly connections: Readonly<Record<'sse' | 'ws', number>>;
  /** Addresses and traces that are watched. */
  readonly watched: number;
  /** Messages that clients have not read yet. */
  readonly queued: number;
  /** Seqnos that are indexed and not sent yet. */
  readonly lagSeqnos: number;
  /** The last seqno whose events were sent, and the last one whose traces were. */
  readonly lastSeqno: number;
  readonly lastTraceSeqno: number;
  /** Seqnos whose traces wait for classification. */
  readonly lagTraceSeqnos: number;
}

export interface StreamMetrics {
  readonly event: (type: string) => void;
  /** Seconds from the writing of a block until its events are handed to clients. */
  readonly lag: (seconds: number) => void;
  readonly gap: (reason: string) => void;
  readonly replayed: (events: number) => void;
  readonly refused: (reason: string) => void;
  /** Sets where gauges read the present state. */
  readonly observe: (read: () => StreamStats) => void;
}

const BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Registers the metrics of streaming. */
export function createStreamMetrics(registry: Registry): StreamMetrics {
  let read: (() => StreamStats) | undefined;
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string, value: (stats: StreamStats) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        if (read !== undefined) this.set(value(read()));
      },
    });
  const events = counter('tongate_stream_events_total', 'Events sent to streaming clients, by type', [
    'type',
  ]);
  const gaps = counter(
    'tongate_stream_gaps_total',
    'Ranges of events that clients were not sent, by reason',
    ['reason'],
  );
  const replayed = counter('tongate_stream_replayed_events_total', 'Events replayed from the index');
  const refused = counter('tongate_stream_refused_total', 'Refused streams and messages, by reason', [
    'reason',
  ]);
  const lag = new Histogram({
    name: 'tongate_stream_lag_seconds',
    help: 'Time from the writing of a block to the index until its events are handed to clients',
    buckets: BUCKETS_SECONDS,
    registers,
  });
  new Gauge({
    name: 'tongate_stream_connections',
    help: 'Open streams, by transport',
    labelNames: ['transport'],
    registers,
    collect() {
      const { connections } = read?.() ?? { connections: { sse: 0, ws: 0 } };
      for (const [transport, count] of Object.entries(connections)) this.set({ transport }, count);
    },
  });
  gauge('tongate_stream_watched', 'Addresses and traces that streams watch', ({ watched }) => watched);
  gauge('tongate_stream_queued_messages', 'Messages that clients have not read yet', ({ queued }) => queued);
  gauge(
    'tongate_stream_lag_seqnos',
    'Masterchain blocks that are indexed and whose events were not sent yet',
    ({ lagSeqnos }) => lagSeqnos,
  );
  gauge(
    'tongate_stream_lag_trace_seqnos',
    'Masterchain blocks whose events were sent except for actions and traces, which wait for classification',
    ({ lagTraceSeqnos }) => lagTraceSeqnos,
  );
  return {
    event: (type) => events.inc({ type }),
    lag: (seconds) => lag.observe(seconds),
    gap: (reason) => gaps.inc({ reason }),
    replayed: (count) => replayed.inc(count),
    refused: (reason) => refused.inc({ reason }),
    observe: (reader) => {
      read = reader;
    },
  };
}
