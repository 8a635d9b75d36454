import { toAccountBytes } from '../chain/address.ts';
import type { Database } from '../db/connection.ts';
import type { HashKey } from '../lib/bytes-key.ts';
import type { StreamStats } from '../observe/stream-metrics.ts';
import type { PendingTrace, WatchedPending } from '../pending/pending-traces.ts';
import type { AddressInfoOptions } from './address-info.ts';
import { cursorAfter } from './cursor.ts';
import { createEventReader } from './event-reader.ts';
import type { StreamEvent } from './events.ts';
import { type FollowerOptions, followIndex } from './follow-index.ts';
import { createHub, type Hub, type HubOptions } from './hub.ts';
import { createEventLoader, type Interest } from './load-events.ts';
import { type PendingEvents, watchPending } from './pending-events.ts';
import type { InvalidationReason, Receiver } from './receiver.ts';
import { createReplays } from './replay.ts';
import { watchSignedStates } from './signed-states.ts';
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

/** Somebody who wants events of signed blocks for others. */
export interface EarlyWatcher {
  isOpen(): boolean;
  /** The interest in some accounts, 33 bytes; undefined if there is none. */
  interestIn(accounts: readonly Buffer[]): Promise<Interest | undefined>;
  onEvents(events: readonly StreamEvent[]): void;
  onInvalidated(key: HashKey, reason: InvalidationReason): void;
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
  const unfollowSigned = options.pending?.followSigned(
    watchSignedStates({
      isOpen: () => subscribers.early() !== undefined,
      interestIn: () => subscribers.early(),
      onEvents: (events) => hub.onPending(events),
      log: options.log,
    }),
  );
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
    /** Tells somebody who keeps its own list of receivers of what signed blocks have; the returned function ends it. */
    watchEarly(watcher: EarlyWatcher): () => void {
      if (options.pending === undefined) return () => {};
      const events = watchPending({
        ...options,
        ...watcher,
        pending: options.pending,
        interest: (trace) => (isPredicted(trace) ? undefined : watcher.interestIn(accountsOf(trace))),
      });
      const unfollow = options.pending.followSigned(
        watchSignedStates({
          ...watcher,
          log: options.log,
          async interestIn(accounts) {
            const wanted = await watcher.interestIn(accounts);
            return wanted && { ...wanted, wantsStates: wanted.types.has('account_state_change') };
          },
        }),
      );
      return () => {
        unfollow();
        events.close();
      };
    },
    stats,
    async close() {
      unfollowSigned?.();
      pending?.close();
      hub.close();
      await follower.close();
    },
  };
}

function isPredicted({ transactions }: PendingTrace): boolean {
  return transactions.every(({ emulated }) => emulated);
}

/** The accounts that take part in a trace, as 33 bytes. */
function accountsOf({ transactions, classification }: PendingTrace): Buffer[] {
  return [
    ...transactions.map(({ account }) => toAccountBytes(account)),
    ...classification.actions.flatMap(({ accounts }) => accounts),
  ];
}
