import { randomUUID } from 'node:crypto';
import type { Database } from '../db/connection.ts';
import { bytesOf, type HashKey } from '../lib/bytes-key.ts';
import type { Log } from '../lib/log.ts';
import { createPayerBudget } from '../lib/payer-budget.ts';
import { isSliceOver, nextSlice } from '../lib/slices.ts';
import { pause, WakeableTimer } from '../lib/wait.ts';
import {
  type Cursor,
  cursorAfter,
  endOf,
  formatCursor,
  isFarAhead,
  type Lane,
  type Place,
  parseCursor,
} from '../streaming/cursor.ts';
import type { EventReader } from '../streaming/event-reader.ts';
import type { StreamEvent } from '../streaming/events.ts';
import { type IndexFollower, readPresentCursor } from '../streaming/follow-index.ts';
import type { GapReason } from '../streaming/receiver.ts';
import { formatAccount } from '../v3/values.ts';
import {
  type BehindWebhook,
  claimFeeds,
  type Fed,
  feedOf,
  listBehind,
  listFed,
  moveStarts,
  type NewWebhookEvent,
  queueEvents,
  readFeeds,
  rejoinFeed,
  releaseFeeds,
  type StoredFeed,
  startFeed,
} from './stored-feeds.ts';
import { createWatchers, type Watcher, type Watchers } from './watchers.ts';

export interface WebhookFeederOptions {
  readonly database: Database;
  readonly follower: Pick<IndexFollower, 'network' | 'history' | 'position' | 'watch'>;
  readonly reader: EventReader;
  readonly log: Log;
  /** Called when events were queued. */
  readonly onQueued: (count: number) => void;
  readonly claimMs?: number;
  /** Events of a webhook that may wait; for more it is fed by itself as they arrive. */
  readonly maxWaiting?: number;
  /** Events per second that are queued for a holder, for each request per second of its plan; undefined for no limit. */
  readonly eventsPerRps?: number | undefined;
}

/** Webhooks that are fed together: those of feeds that are at the same place. */
interface Group {
  readonly feeds: readonly number[];
  readonly types: readonly string[];
  readonly cursor: string;
  readonly place: Cursor;
  /** Whether the cursor is one of the network that is indexed. */
  readonly isKnown: boolean;
}

const CLAIM_MS = 5000;
const FAILED_PAUSE_MS = 500;
const MIN_PAUSE_MS = 20;
const MAX_WAITING = 1000;
/** Webhooks that are behind have a turn this often, whatever they have missed, and are looked for this often. */
const CATCH_UP_MS = 100;
const LOOK_BEHIND_MS = 1000;
/** For so long events that did not happen are saved. */
const SAVED_SECONDS = 10;
/** Events that are queued together, those of a webhook that is behind while others wait. */
const MAX_EVENTS = 1000;
const MAX_BEHIND_EVENTS = 200;
/** Seqnos that are read at once for a webhook that is behind, if few of its events are in them. */
const MAX_BEHIND_SEQNOS = 16;

/** The last turn of an owner whose webhooks are behind. */
interface BehindTurn {
  atMs: number;
  /** Seqnos to read in the next one: what is read and not told is read again. */
  seqnos: number;
}

export type WebhookFeeder = ReturnType<typeof createWebhookFeeder>;

/** Queues the events of webhooks. Processes share their feeds; another takes over when one ends. */
export function createWebhookFeeder(options: WebhookFeederOptions) {
  const { database, follower, reader, log, onQueued } = options;
  const { claimMs = CLAIM_MS, maxWaiting = MAX_WAITING } = options;
  const budget = createPayerBudget({
    unitsPerRps: options.eventsPerRps,
    savedSeconds: SAVED_SECONDS,
    minSaved: 1,
    expected: 0,
  });
  const feeder = randomUUID();
  const end = new AbortController();
  const timer = new WakeableTimer();
  /** Where the index was taken back to. */
  const jumps: Cursor[] = [];
  /** Of the owners whose webhooks are behind. */
  const turns = new Map<string, BehindTurn>();
  /** The feeds of this process that have webhooks, as they were last read or moved. */
  let groups: readonly Group[] = [];
  let unwatch: (() => void) | undefined;
  let isWoken = false;
  let claimAtMs = Number.NEGATIVE_INFINITY;
  let catchUpAtMs = Number.NEGATIVE_INFINITY;
  /** The turn of a webhook that is behind, for which the feeds do not wait. */
  let catchingUp: Promise<void> | undefined;

  function wake(): void {
    isWoken = true;
    timer.wake();
  }

  const textOf = (cursor: Cursor): string => formatCursor(cursor, follower.network());

  async function claim(position: Cursor): Promise<void> {
    const rows = await database.write((db) => claimFeeds(db, { feeder }));
    for (const { number, cursor, types } of rows)
      if (cursor === null && types.length > 0)
        await database.write((db) => startFeed(db, { number, cursor: textOf(position) }));
    adopt(rows);
    await noticeTakenBack(position);
  }

  /** The index may have been taken back while nobody fed them: a place is ahead then, and not only of a replica. */
  async function noticeTakenBack(position: Cursor): Promise<void> {
    if (!groups.some(({ isKnown, place }) => isKnown && place.blocks.seqno > position.blocks.seqno)) return;
    const text = await database.write(readPresentCursor);
    const present = text === undefined ? undefined : parseCursor(text)?.cursor;
    if (present !== undefined && groups.some(({ place }) => place.blocks.seqno > present.blocks.seqno))
      await goBack(present);
  }

  function adopt(rows: readonly StoredFeed[]): void {
    const moving = rows.filter(({ cursor, types }) => cursor !== null && types.length > 0);
    groups = [...Map.groupBy(moving, ({ cursor }) => cursor!)]
      .map(([cursor, some]) => {
        const parsed = parseCursor(cursor);
        return {
          cursor,
          feeds: some.map(({ number }) => number),
          types: [...new Set(some.flatMap(({ types }) => types))],
          place: parsed?.cursor ?? cursorAfter(0),
          isKnown: parsed?.network === follower.network(),
        };
      })
      .sort((a, b) => compare(a.place, b.place));
    if (groups.length > 0)
      unwatch ??= follower.watch(({ jump }) => {
        if (jump !== undefined) jumps.push(jump.to);
        wake();
      });
    else {
      unwatch?.();
      unwatch = undefined;
    }
  }

  /** Queues what comes next for the feeds that are furthest behind; false if there is nothing. */
  async function step(position: Cursor): Promise<boolean> {
    const isDone = ({ place, isKnown }: Group) =>
      isKnown && hasReached(place, position) && !isFarAhead(place, position);
    // Nothing is asked while nothing happens.
    if (groups.every(isDone)) return false;
    adopt(await database.write((db) => readFeeds(db, { feeder })));
    for (const group of groups) {
      // No further than to the place of another one: they come together there.
      const limit = {
        blocks: limitOf(group, 'blocks', position),
        traces: limitOf(group, 'traces', position),
      };
      if (await feed({ feeds: group.feeds }, group, position, limit)) return true;
    }
    return false;
  }

  function limitOf({ place }: Group, lane: Lane, position: Cursor): Place {
    const others = groups.map((group) => group.place[lane]).filter(({ seqno }) => seqno > place[lane].seqno);
    return others.reduce((first, other) => (other.seqno < first.seqno ? other : first), position[lane]);
  }

  /** Queues what comes after a cursor; false if there is nothing. */
  async function feed(
    fed: Fed,
    { cursor, place, isKnown, types }: Pick<Group, 'cursor' | 'place' | 'isKnown' | 'types'>,
    position: Cursor,
    limit: Cursor,
    turn?: BehindTurn,
  ): Promise<boolean> {
    if (!isKnown) {
      await leaveOut(fed, cursor, position, 'cursor expired');
      return true;
    }
    const watchers = createWatchers(database, fed, types);
    const next = await reader.next(place, watchers.interest, limit);
    if (next === undefined) return false;
    if (next.gap === undefined) {
      const all = await tell(next.events, watchers);
      const { told, to } = cut(all, next, turn === undefined ? MAX_EVENTS : MAX_BEHIND_EVENTS);
      const leftBehind = turn === undefined ? leaveBehind(told) : new Set<string>();
      if (turn !== undefined) {
        // Its turn came because there was some budget left.
        withoutBudget(told);
        const toldSeqnos = to[next.lane].seqno - place[next.lane].seqno;
        turn.seqnos = Math.min(MAX_BEHIND_SEQNOS, told.length < all.length ? toldSeqnos : 2 * turn.seqnos);
      }
      const events = await writeEvents(
        told.filter(({ watcher }) => !leftBehind.has(watcher.webhookId)),
        idOfFinal,
      );
      await move(fed, cursor, to, events, [...leftBehind]);
    } else await leaveOut(fed, cursor, next.to, next.gap);
    return true;
  }

  /** Counts events for their holders; returns the webhooks that are fed by themselves from now on. */
  function leaveBehind(told: readonly ToldEvent[]): Set<string> {
    const crowding = crowdingHolders(told);
    const isCrowding = ({ watcher }: ToldEvent) => crowding.has(watcher.holder?.id);
    const leftBehind = withoutBudget(told.filter((one) => !isCrowding(one)));
    for (const { watcher } of told.filter(isCrowding)) leftBehind.add(watcher.webhookId);
    return leftBehind;
  }

  /** Counts events for their holders; returns the webhooks of those who have used up what they may be sent. */
  function withoutBudget(told: readonly ToldEvent[]): Set<string> {
    const refused = new Set<string>();
    for (const [id, events] of Map.groupBy(told, ({ watcher }) => watcher.holder?.id)) {
      // Those of the operator are not counted.
      if (id === undefined) continue;
      const permit = budget.acquire(events[0]!.watcher.holder);
      permit?.charge(events.length);
      if (permit === undefined) for (const { watcher } of events) refused.add(watcher.webhookId);
    }
    return refused;
  }

  async function move(
    fed: Fed,
    from: string,
    to: Cursor,
    events: readonly NewWebhookEvent[],
    leftBehind: readonly string[] = [],
  ): Promise<void> {
    const count = await database.write((db) =>
      queueEvents(db, { fed, from, to: textOf(to), events, leftBehind, maxWaiting }),
    );
    // Another process feeds them by now.
    if (count === undefined) claimAtMs = Number.NEGATIVE_INFINITY;
    else if (count > 0) onQueued(count);
    if (count !== undefined && 'feeds' in fed) {
      const isMoved = ({ cursor }: Group) => cursor === from;
      groups = groups.map((group) =>
        isMoved(group) ? { ...group, cursor: textOf(to), place: to, isKnown: true } : group,
      );
    }
  }

  /** Events that cannot be read: each webhook is told once. */
  async function leaveOut(fed: Fed, from: string, to: Cursor, reason: GapReason): Promise<void> {
    const webhooks = await database.write((db) => listFed(db, { fed }));
    log.warn({ webhooks: webhooks.length, from, reason }, 'Webhook events were lost');
    const toText = textOf(to);
    const isLater = ({ startCursor }: { readonly startCursor: string }) => {
      const start = parseCursor(startCursor);
      return start !== undefined && hasReached(start.cursor, to);
    };
    const later = webhooks.filter(isLater).map(({ id }) => id);
    // They began in blocks that are gone: what happens now is after their beginning.
    if (reason === 'restart' && later.length > 0)
      await database.write((db) => moveStarts(db, { ids: later, cursor: toText }));
    const told = webhooks.filter((one) => !isLater(one));
    const events = told.map(({ id }) => {
      const eventId = `${id}-gap-${toText}-${follower.history().slice(0, MARK_DIGITS)}`;
      const head = `{"id":"${eventId}","webhook_id":"${id}","address":null,"type":"gap"`;
      const body = `${head},"from":"${from}","to":"${toText}","reason":"${reason}"}`;
      return { webhookId: id, account: NO_ACCOUNT, eventId, body };
    });
    await move(fed, from, to, events);
  }

  /** The index was taken back: what comes after that place is told again. */
  async function goBack(to: Cursor): Promise<void> {
    await catchingUp;
    adopt(await database.write((db) => readFeeds(db, { feeder })));
    for (const { feeds, cursor, place } of groups)
      if (!hasReached(to, place)) await leaveOut({ feeds }, cursor, earlier(to, place), 'restart');
    for (const { webhookId, cursor } of await listOwnBehind()) {
      const { cursor: place } = parseCursor(cursor) ?? { cursor: to };
      if (!hasReached(to, place)) await leaveOut({ webhookId }, cursor, earlier(to, place), 'restart');
    }
  }

  /** Feeds a webhook by itself for which too much has waited, one of another owner each time. */
  async function catchUp(position: Cursor): Promise<boolean> {
    const behind = (await listOwnBehind(maxWaiting / 2)).filter(
      ({ holder }) => holder === undefined || budget.retrySeconds(holder) === 0,
    );
    const turnOf = ({ owner }: BehindWebhook) => turns.get(owner)?.atMs ?? 0;
    const [next] = behind.toSorted((a, b) => turnOf(a) - turnOf(b));
    for (const owner of turns.keys()) if (!behind.some((one) => one.owner === owner)) turns.delete(owner);
    if (next === undefined) return false;
    const turn = turns.get(next.owner) ?? { atMs: 0, seqnos: MAX_BEHIND_SEQNOS };
    turn.atMs = performance.now();
    turns.set(next.owner, turn);
    const { webhookId, cursor, types } = next;
    const group = groups.find(({ feeds }) => feeds.includes(feedOf(webhookId)));
    const parsed = parseCursor(cursor);
    if (group === undefined || parsed === undefined) return true;
    const place = parsed.cursor;
    if (!hasReached(place, group.place)) {
      const isKnown = parsed.network === follower.network();
      const limit = {
        blocks: within(place.blocks, turn.seqnos, group.place.blocks),
        traces: within(place.traces, turn.seqnos, group.place.traces),
      };
      await feed({ webhookId }, { cursor, place, isKnown, types }, position, limit, turn);
    } else await database.write((db) => rejoinFeed(db, { webhookId, cursor, feedCursor: group.cursor }));
    return true;
  }

  function startCatchUp(position: Cursor): void {
    // Until it has ended.
    catchUpAtMs = Number.POSITIVE_INFINITY;
    catchingUp = catchUp(position)
      .catch((error: unknown) => {
        if (!end.signal.aborted) log.warn({ err: error }, 'Failed to queue webhook events');
        return false;
      })
      .then((isBehind) => {
        catchUpAtMs = performance.now() + (isBehind ? CATCH_UP_MS : LOOK_BEHIND_MS);
        catchingUp = undefined;
        timer.wake();
      });
  }

  async function listOwnBehind(mostWaiting?: number): Promise<BehindWebhook[]> {
    const feeds = groups.flatMap((group) => group.feeds);
    if (feeds.length === 0) return [];
    return database.write((db) => listBehind(db, { feeds, maxWaiting: mostWaiting }));
  }

  /** One round of work; returns whether there may be more at once. */
  async function work(): Promise<boolean> {
    const position = follower.position();
    // Until then it is unknown where the index is.
    if (position === undefined) return false;
    if (performance.now() >= claimAtMs) {
      await claim(position);
      claimAtMs = performance.now() + claimMs;
    }
    for (const to of jumps.splice(0)) await goBack(to);
    if (performance.now() >= catchUpAtMs) startCatchUp(position);
    return step(position);
  }

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      isWoken = false;
      try {
        const hasMore = await work();
        if (hasMore || isWoken) continue;
        const nextMs = groups.length === 0 ? claimAtMs : Math.min(claimAtMs, catchUpAtMs);
        await timer.wait(Math.max(MIN_PAUSE_MS, nextMs - performance.now()), end.signal);
      } catch (error) {
        if (end.signal.aborted) return;
        log.warn({ err: error }, 'Failed to queue webhook events');
        await pause(FAILED_PAUSE_MS, end.signal);
      }
    }
  }

  const loop = run();
  return {
    /** The feeds of this process. */
    feeds: (): readonly number[] => groups.flatMap(({ feeds }) => feeds),
    /** Counts events for their holders; returns those that are left when the others have used up what they may be sent. */
    admit(told: readonly ToldEvent[]): readonly ToldEvent[] {
      const refused = withoutBudget(told);
      return told.filter(({ watcher }) => !refused.has(watcher.webhookId));
    },
    async close(): Promise<void> {
      end.abort();
      await loop;
      await catchingUp;
      unwatch?.();
      await database.write((db) => releaseFeeds(db, { feeder })).catch(() => {});
    },
  };
}

/** An event that a webhook is told of because of one of its accounts. */
export interface ToldEvent {
  readonly event: StreamEvent;
  readonly key: HashKey;
  readonly watcher: Watcher;
}

/** Each address has an event of its own: their order is kept by address. */
export async function tell(events: readonly StreamEvent[], watchers: Watchers): Promise<ToldEvent[]> {
  const told: ToldEvent[] = [];
  for (const event of events)
    for (const key of event.accounts) {
      for (const watcher of watchers.of(event, key)) told.push({ event, key, watcher });
      if (isSliceOver()) await nextSlice();
    }
  return told;
}

/** So many events, and whole seqnos. */
function cut(
  told: readonly ToldEvent[],
  { to, lane }: { readonly to: Cursor; readonly lane: Lane },
  max: number,
): { readonly told: readonly ToldEvent[]; readonly to: Cursor } {
  const seqnoOf = ({ event }: ToldEvent) => event.at!.place.seqno;
  const [first, next] = [told[0], told[max]];
  if (first === undefined || next === undefined) return { told, to };
  const last = Math.max(seqnoOf(first), seqnoOf(next) - 1);
  return { told: told.filter((one) => seqnoOf(one) <= last), to: { ...to, [lane]: endOf(last) } };
}

/** The holders with the most events, without whom the others have no more than are queued together. */
function crowdingHolders(told: readonly ToldEvent[]): ReadonlySet<string | undefined> {
  const crowding = new Set<string | undefined>();
  if (told.length <= MAX_EVENTS) return crowding;
  const counts = [...Map.groupBy(told, ({ watcher }) => watcher.holder?.id)].map(
    ([id, events]) => [id, events.length] as const,
  );
  let left = told.length;
  for (const [id, count] of counts.toSorted(([, a], [, b]) => b - a)) {
    if (left <= MAX_EVENTS) break;
    // Those of the operator wait for nobody.
    if (id === undefined) continue;
    crowding.add(id);
    left -= count;
  }
  return crowding;
}

/** The end of so many seqnos behind a place, or a place before it. */
function within(place: Place, seqnos: number, limit: Place): Place {
  return limit.seqno <= place.seqno + seqnos ? limit : endOf(place.seqno + seqnos);
}

const ID_BYTES = 9;
/** Of a history, in the id of a gap: an index that was taken back twice to one place has two gaps. */
const MARK_DIGITS = 8;
const NO_ACCOUNT = Buffer.alloc(0);

/** The id of an event of the index, from its place there. */
function idOfFinal({ event, watcher: { webhookId } }: ToldEvent, account: string): string {
  const { lane, place, mark } = event.at!;
  return `${webhookId}-${lane}-${place.seqno}-${place.index}-${mark}-${account}`;
}

/** Writes events as they are sent; those of which nothing is left for a webhook are left out. */
export async function writeEvents(
  told: readonly ToldEvent[],
  idOf: (one: ToldEvent, account: string, text: string) => string,
): Promise<NewWebhookEvent[]> {
  const written: NewWebhookEvent[] = [];
  for (const one of told) {
    const { event, key, watcher } = one;
    const { webhookId, subscription } = watcher;
    const text = event.textFor({ ...subscription, addresses: new Set([key]) });
    if (isSliceOver()) await nextSlice();
    if (text === undefined) continue;
    const account = bytesOf(key);
    const eventId = idOf(one, account.toString('hex', 0, ID_BYTES), text);
    const head = `{"id":"${eventId}","webhook_id":"${webhookId}","address":"${formatAccount(account)}","type":"${event.type}"`;
    written.push({ webhookId, account, eventId, body: `${head}${text}` });
  }
  return written;
}

/** Whether nothing comes before one place that does not come before another. */
function hasReached(place: Cursor, other: Cursor): boolean {
  return place.blocks.seqno >= other.blocks.seqno && place.traces.seqno >= other.traces.seqno;
}

function earlier(a: Cursor, b: Cursor): Cursor {
  return {
    blocks: a.blocks.seqno < b.blocks.seqno ? a.blocks : b.blocks,
    traces: a.traces.seqno < b.traces.seqno ? a.traces : b.traces,
  };
}

function compare(a: Cursor, b: Cursor): number {
  return a.blocks.seqno - b.blocks.seqno || a.traces.seqno - b.traces.seqno;
}
