import type { Database } from '../db/connection.ts';
import type { StreamMetrics, StreamStats } from '../observe/stream-metrics.ts';
import type { WatchedPending } from '../pending/pending-traces.ts';
import type { AddressInfoOptions } from './address-info.ts';
import { cursorAfter } from './cursor.ts';
import { followIndex, type IndexFollower } from './follow-index.ts';
import { createHub, type Hub } from './hub.ts';
import { createEventLoader } from './load-events.ts';
import { type PendingEvents, watchPending } from './pending-events.ts';
import type { Receiver } from './receiver.ts';
import { createReplays } from './replay.ts';
import { Subscribers } from './subscribers.ts';

/** The events of the chain for any number of connections. */
export interface Streaming {
  readonly hub: Hub;
  readonly follower: Pick<IndexFollower, 'network' | 'checkedAt' | 'position' | 'lag'>;
  readonly stats: () => StreamStats;
  readonly close: () => Promise<void>;
}

interface StreamingOptions extends AddressInfoOptions {
  readonly database: Pick<Database, 'read'>;
  /** Undefined if this process does not follow pending messages. */
  readonly pending: WatchedPending | undefined;
  readonly metrics: StreamMetrics;
  /** How old the cursor of a client may be. */
  readonly resumeSeconds: number;
  /** Events that are replayed at most. */
  readonly maxReplayed: number;
  readonly pollMs?: number;
  readonly holeMs?: number;
}

/** Starts to follow the index and pending traces. */
export function createStreaming(options: StreamingOptions): Streaming {
  const { database, ports, metrics, log, textDecimals, resumeSeconds, maxReplayed } = options;
  const subscribers = new Subscribers<Receiver>();
  const loader = createEventLoader({ ports, log, textDecimals });
  const interest = () => subscribers.interest();
  const pending: PendingEvents | undefined =
    options.pending &&
    watchPending({
      pending: options.pending,
      database,
      ports,
      interest,
      log,
      textDecimals,
      onEvents: (events) => hub.onPending(events),
      onInvalidated: (key, reason) => hub.onInvalidated(key, reason),
    });
  const hub = createHub({
    follower: () => follower,
    replays: createReplays({ database, loader, keepSeconds: resumeSeconds }),
    pending,
    subscribers,
    metrics,
    log,
    maxReplayed,
  });
  const follower = followIndex({
    database,
    loader,
    interest,
    log,
    onRound: (round) => hub.onRound(round),
    ...(options.pollMs !== undefined && { pollMs: options.pollMs }),
    ...(options.holeMs !== undefined && { holeMs: options.holeMs }),
  });
  const stats = (): StreamStats => {
    const { blocks, traces } = follower.position() ?? cursorAfter(0);
    const lagTraceSeqnos = Math.max(0, blocks.seqno - traces.seqno);
    const last = { lastSeqno: blocks.seqno, lastTraceSeqno: traces.seqno };
    return { ...hub.stats(), ...last, lagSeqnos: follower.lag(), lagTraceSeqnos };
  };
  metrics.observe(stats);
  return {
    hub,
    follower,
    stats,
    async close() {
      pending?.close();
      hub.close();
      await follower.close();
    },
  };
}
