import type { Database } from '../db/connection.ts';
import type { StreamStats } from '../observe/stream-metrics.ts';
import type { WatchedPending } from '../pending/pending-traces.ts';
import type { AddressInfoOptions } from './address-info.ts';
import { cursorAfter } from './cursor.ts';
import { createEventReader } from './event-reader.ts';
import { type FollowerOptions, followIndex } from './follow-index.ts';
import { createHub, type Hub, type HubOptions } from './hub.ts';
import { createEventLoader } from './load-events.ts';
import { type PendingEvents, watchPending } from './pending-events.ts';
import type { Receiver } from './receiver.ts';
import { createReplays } from './replay.ts';
import { Subscribers } from './subscribers.ts';

/** The events of the chain for any number of connections. */
export type Streaming = ReturnType<typeof createStreaming>;

interface StreamingOptions
  extends AddressInfoOptions,
    Pick<FollowerOptions, 'pollMs' | 'holeMs'>,
    Pick<HubOptions, 'metrics' | 'maxReplayed'> {
  readonly database: Pick<Database, 'read' | 'write'>;
  /** Undefined if this process does not follow pending messages. */
  readonly pending: WatchedPending | undefined;
  /** How old the cursor of a client may be. */
  readonly resumeSeconds: number | 'all';
}

/** Starts to follow the index and pending traces. */
export function createStreaming(options: StreamingOptions) {
  const { database, metrics, resumeSeconds } = options;
  const subscribers = new Subscribers<Receiver>();
  const loader = createEventLoader(options);
  const interest = () => subscribers.interest();
  const pending: PendingEvents | undefined =
    options.pending &&
    watchPending({
      ...options,
      pending: options.pending,
      interest,
      onEvents: (events) => hub.onPending(events),
      onInvalidated: (key, reason) => hub.onInvalidated(key, reason),
    });
  const hub: Hub = createHub({
    ...options,
    follower: () => follower,
    replays: createReplays({ database, loader, keepSeconds: resumeSeconds }),
    pending,
    subscribers,
  });
  const follower = followIndex({ ...options, loader, interest, onRound: (round) => hub.onRound(round) });
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
    reader: createEventReader({ database, loader, follower }),
    stats,
    async close() {
      pending?.close();
      hub.close();
      await follower.close();
    },
  };
}
