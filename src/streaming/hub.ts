import { setInterval } from 'node:timers';
import type { HashKey } from '../lib/bytes-key.ts';
import type { Log } from '../lib/log.ts';
import { startWork } from '../lib/loop-work.ts';
import { eachInSlices } from '../lib/slices.ts';
import type { StreamMetrics } from '../observe/stream-metrics.ts';
import { type Cursor, cursorAfter, isAfter, isFarAhead, type KeptCursor, parseCursor } from './cursor.ts';
import type { StreamEvent } from './events.ts';
import type { IndexFollower, Round } from './follow-index.ts';
import type { PendingEvents } from './pending-events.ts';
import type { GapReason, InvalidationReason, Receiver } from './receiver.ts';
import type { Replays } from './replay.ts';
import type { Subscribers } from './subscribers.ts';
import { reaches, type Subscription } from './subscription.ts';

/** Brings events to connections. */
export type Hub = ReturnType<typeof createHub>;

interface WantedStream {
  readonly subscription: Subscription;
  readonly answer: string;
  readonly lastEventId: string | undefined;
  readonly replayExisting: boolean;
}

export interface HubOptions {
  readonly follower: () => IndexFollower;
  readonly replays: Replays;
  readonly pending: PendingEvents | undefined;
  readonly subscribers: Subscribers<Receiver>;
  readonly metrics: StreamMetrics;
  readonly log: Log;
  /** Events that are replayed at most. */
  readonly maxReplayed: number;
}

/** A connection that is not live yet: what rounds bring from a certain one on is kept for it. */
interface Joining {
  fromRound: number;
  held: (() => void)[];
  /** Set if the lanes jumped meanwhile. */
  jumpedTo: Cursor | undefined;
}

/** Rounds and events that are kept for a connection that is not live yet. */
const MAX_HELD = 500;
const SWEEP_MS = 10_000;
/** As long as the pending room keeps a message. */
const MAX_SEEN_MS = 600_000;

export function createHub(options: HubOptions) {
  const { replays, pending, subscribers, metrics, log, maxReplayed } = options;
  const connections = new Set<Receiver>();
  const joining = new Map<Receiver, Joining>();

  /** Hands out a round, in slices: an event may have thousands of receivers. */
  async function onRound(round: Round): Promise<void> {
    startWork('stream');
    if (round.jump !== undefined) onJump(round);
    for (const event of [...round.blocks, ...round.traces]) {
      if (event.traceKey !== undefined) pending?.noteFinal(event.traceKey);
      await eachInSlices(subscribers.receivers(event), (connection) =>
        inRound(connection, round, () => connection.offer(event)),
      );
    }
    await eachInSlices(connections, (connection) =>
      inRound(connection, round, () => connection.advanceTo(round.after)),
    );
    if (round.blocks.length + round.traces.length > 0)
      metrics.lag(Math.max(0, Date.now() / 1000 - round.writtenAt));
  }

  /** Does something for a connection now, or when it is live; a round that it replays does not count. */
  function inRound(connection: Receiver, { number }: Round, work: () => void): void {
    const join = joining.get(connection);
    if (join === undefined) work();
    else if (number >= join.fromRound && join.held.length <= MAX_HELD) join.held.push(work);
  }

  /** Seqnos were left out or taken back. */
  function onJump({ jump }: Round): void {
    for (const connection of connections) {
      const join = joining.get(connection);
      if (join !== undefined) join.jumpedTo = jump!.to;
      else jumpTo(connection, jump!.to);
    }
  }

  function jumpTo(connection: Receiver, to: Cursor): void {
    connection.gap(connection.cursorText(), to, 'restart');
    connection.moveTo(to);
  }

  /**
   * Puts a subscription into force for a connection: after the answer, which is sent at its place among the events, come
   * missed events, then new ones.
   */
  function subscribe(connection: Receiver, wanted: WantedStream): void {
    connection.replace(wanted.subscription);
    subscribers.set(connection);
    startJoining(connection, wanted);
    // Nothing was sent yet: what follows waits for the database.
    const hasStart = wanted.subscription.cursors && wanted.lastEventId === undefined;
    const isKnown = options.follower().position() !== undefined;
    connection.answer(wanted.answer, hasStart && isKnown ? connection.cursorText() : undefined);
  }

  function startJoining(connection: Receiver, wanted: Omit<WantedStream, 'answer'>): void {
    // A connection goes on where it is: what it has not been told yet is told to its new subscription.
    const from = connections.has(connection) ? connection.cursor : options.follower().position();
    connections.add(connection);
    join(connection, wanted, from).catch((error: unknown) => {
      log.error({ err: error }, 'Failed to start a stream');
      connection.fail();
    });
  }

  async function join(
    connection: Receiver,
    wanted: Omit<WantedStream, 'answer'>,
    position: Cursor | undefined,
  ): Promise<void> {
    const { version } = connection;
    const isCurrent = () => !connection.isClosed && connection.version === version;
    const state: Joining = { fromRound: Number.POSITIVE_INFINITY, held: [], jumpedTo: undefined };
    joining.set(connection, state);
    let from = position;
    if (from !== undefined) connection.moveTo(from);
    await resolveTraces(connection, isCurrent);
    if (wanted.lastEventId !== undefined) from = await resumeAt(connection, wanted.lastEventId, isCurrent);
    if (!isCurrent()) return;
    connection.noteStart();
    if (wanted.replayExisting || wanted.lastEventId !== undefined)
      await showExisting(connection, wanted, isCurrent);
    do {
      if (!isCurrent()) return;
      if (state.jumpedTo !== undefined) {
        from = state.jumpedTo;
        jumpTo(connection, from);
      }
      Object.assign(state, { fromRound: Number.POSITIVE_INFINITY, held: [], jumpedTo: undefined });
      const next = await options.follower().nextRound();
      state.fromRound = next.number;
      // Without a position the index was empty, and there is nothing to catch up with.
      if (next.start !== undefined && from !== undefined)
        await replay(connection, from, next.start, isCurrent);
      from = connection.cursor;
    } while (state.held.length > MAX_HELD || state.jumpedTo !== undefined);
    if (!isCurrent()) return;
    joining.delete(connection);
    for (const work of state.held) work();
  }

  /** A trace may be named by the hash of its message as it was sent; events name it by the normalized one. */
  async function resolveTraces(connection: Receiver, isCurrent: () => boolean): Promise<void> {
    const { subscription } = connection;
    if (subscription.traceKeys.size === 0) return;
    const keys = [...subscription.traceKeys];
    const resolved = [
      ...(await replays.of(connection.payer).resolve(keys)),
      ...((await pending?.resolve(keys)) ?? []),
    ];
    if (!isCurrent() || resolved.length === 0) return;
    const traceKeys = new Set([...keys, ...resolved.map(([, normalized]) => normalized)]);
    connection.subscription = { ...subscription, traceKeys };
    subscribers.set(connection);
  }

  /** Decides where a client that was here before goes on. */
  async function resumeAt(connection: Receiver, text: string, isCurrent: () => boolean): Promise<Cursor> {
    const follower = options.follower();
    // A process that has just started does not know yet where the index is.
    await follower.firstLook;
    const position = follower.position() ?? cursorAfter(0);
    const kept = parseCursor(text)!;
    const reason = await gapBefore(connection, kept, position);
    const start = reason === undefined ? kept.cursor : position;
    if (!isCurrent()) return start;
    if (reason !== undefined) connection.gap(text, position, reason);
    connection.moveTo(start);
    return start;
  }

  /** Why a client cannot be told what it missed; undefined if it can. */
  async function gapBefore(
    { payer }: Receiver,
    kept: KeptCursor,
    position: Cursor,
  ): Promise<GapReason | undefined> {
    const { cursor, network } = kept;
    const missed = replays.of(payer);
    if (network !== options.follower().network() || isFarAhead(cursor, position)) return 'cursor expired';
    if (!(await missed.isOfHistory(kept, position))) return 'restart';
    const first = Math.min(cursor.blocks.seqno, cursor.traces.seqno);
    if (first >= position.blocks.seqno || (await missed.canReplay(cursor, position))) return undefined;
    return 'cursor expired';
  }

  /** Sends what was missed, unless the connection is gone or wants something else by now. */
  async function replay(
    connection: Receiver,
    from: Cursor,
    to: Cursor,
    isCurrent: () => boolean,
  ): Promise<void> {
    let count = 0;
    const { subscription } = connection;
    // Also within a seqno: the connection may have been lost in the middle of it.
    if (isAfter(to.blocks, from.blocks) || isAfter(to.traces, from.traces))
      for await (const events of replays.of(connection.payer).events(subscription, from, to)) {
        await connection.room();
        if (!isCurrent()) return;
        for (const event of events) connection.offer(event);
        count += events.length;
        if (count <= maxReplayed) continue;
        connection.gap(connection.cursorText(), to, 'cursor expired');
        break;
      }
    metrics.replayed(count);
    if (isCurrent()) connection.advanceTo(to);
  }

  async function showExisting(
    connection: Receiver,
    { replayExisting }: Pick<WantedStream, 'replayExisting'>,
    isCurrent: () => boolean,
  ): Promise<void> {
    const { subscription } = connection;
    const events = [
      ...((await pending?.current(subscription)) ?? []),
      ...(replayExisting ? await replays.of(connection.payer).recentStates(subscription) : []),
    ];
    if (!isCurrent()) return;
    for (const event of events)
      if (subscription.types.has(event.type) && reaches(event.finality, subscription.minFinality))
        connection.offer(event);
  }

  function onPending(events: readonly StreamEvent[]): void {
    for (const event of events)
      for (const connection of subscribers.receivers(event)) connection.offer(event);
  }

  function onInvalidated(key: HashKey, reason: InvalidationReason): void {
    for (const connection of subscribers.awaiting(key)) connection.invalidate(key, reason);
  }

  const sweep = setInterval(() => {
    for (const connection of connections) connection.expireSeen(MAX_SEEN_MS);
  }, SWEEP_MS).unref();

  return {
    subscribe,
    /** Changes what a connection watches, without a replay. */
    narrow(connection: Receiver, subscription: Subscription, answer: string): void {
      connection.replace(subscription);
      connection.answer(answer);
      subscribers.set(connection);
      // A replay in progress goes on for the rest.
      if (joining.has(connection))
        startJoining(connection, { subscription, lastEventId: undefined, replayExisting: false });
    },
    remove(connection: Receiver): void {
      connections.delete(connection);
      joining.delete(connection);
      subscribers.delete(connection);
    },
    /** Whether a connection has been sent what it missed, and gets new events as they come. */
    isLive: (connection: Receiver) => connections.has(connection) && !joining.has(connection),
    /** A connection was shown a trace below finalized, and has to hear how it ends. */
    await: (connection: Receiver, key: HashKey) => subscribers.await(key, connection),
    forget: (connection: Receiver, key: HashKey) => subscribers.forget(key, connection),
    /** In the order in which connections subscribed. */
    subscriptions: () => [...connections].map(({ subscription }) => subscription),
    stats() {
      const count = { sse: 0, ws: 0 };
      let queued = 0;
      for (const connection of connections) {
        count[connection.transport] += 1;
        queued += connection.queued;
      }
      return { connections: count, watched: subscribers.watched, queued, joining: joining.size };
    },
    onRound,
    onPending,
    onInvalidated,
    close: () => clearInterval(sweep),
  };
}
