import { hash } from 'node:crypto';
import type { Database } from '../db/connection.ts';
import { bytesOf, distinctBytes, type HashKey } from '../lib/bytes-key.ts';
import type { Log } from '../lib/log.ts';
import type { EarlyWatcher } from '../streaming/create-streaming.ts';
import type { StreamEvent } from '../streaming/events.ts';
import type { InvalidationReason } from '../streaming/receiver.ts';
import { formatAccount, formatHash } from '../v3/values.ts';
import { type ToldEvent, tell, type WebhookFeeder, writeEvents } from './feeder.ts';
import { type NewWebhookEvent, queueEarly } from './stored-feeds.ts';
import { readEarlyTypes } from './stored-webhooks.ts';
import { createWatchers } from './watchers.ts';

interface ConfirmedEventsOptions {
  readonly database: Database;
  /** Tells of events below finalized. */
  readonly watchEarly: (watcher: EarlyWatcher) => () => void;
  /** Only the process that feeds a webhook queues its events. */
  readonly feeder: Pick<WebhookFeeder, 'feeds' | 'admit'>;
  readonly log: Log;
  readonly onQueued: (count: number) => void;
  /** Events of a webhook that may wait; it is told nothing of more that is not final. */
  readonly maxWaiting?: number;
  readonly lookMs?: number;
}

/** Whether there are such webhooks is looked up this often. */
const LOOK_MS = 2000;
const MAX_WAITING = 500;
/** Traces that webhooks were told of, and have to hear of if they do not happen: so many, for so long. */
const MAX_TOLD = 10_000;
const MAX_TOLD_MS = 600_000;
/** Digits of a hash in the id of an event. */
const ID_DIGITS = 16;

interface ToldTrace {
  readonly sinceMs: number;
  /** The last event of each webhook and address. */
  readonly events: Map<string, NewWebhookEvent>;
}

/**
 * Queues events of signed blocks for webhooks that want them before they are final. The index does not have them, so they
 * are told once, by the process that feeds the webhook, and are not made up for.
 */
export function createConfirmedEvents(options: ConfirmedEventsOptions) {
  const { database, watchEarly, feeder, log, onQueued } = options;
  const { maxWaiting = MAX_WAITING, lookMs = LOOK_MS } = options;
  const told = new Map<HashKey, ToldTrace>();
  let types: readonly string[] = [];
  let chain = Promise.resolve();
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const feeds = feeder.feeds();
    types = feeds.length === 0 ? [] : await database.write((db) => readEarlyTypes(db, { feeds }));
  }

  async function watchersOf(accounts: readonly Buffer[]) {
    const fed = { feeds: feeder.feeds() };
    const watchers = createWatchers(database, fed, types, ({ minFinality }) => minFinality !== 'finalized');
    await watchers.interest.lookUp?.(distinctBytes(accounts));
    return watchers;
  }

  /** Does work in the order of the events; a failure loses only those. */
  function inTurn(work: () => Promise<void>): void {
    chain = chain.then(work).catch((error: unknown) => {
      log.warn({ err: error }, 'Failed to queue webhook events of signed blocks');
    });
  }

  async function queue(events: readonly StreamEvent[]): Promise<void> {
    const watchers = await watchersOf(events.flatMap(({ accounts }) => accounts.map(bytesOf)));
    const queued: NewWebhookEvent[] = [];
    for (const one of feeder.admit(await tell(events, watchers))) {
      const written = await writeEvents([one], idOfEarly);
      for (const event of written) remember(one, event);
      queued.push(...written);
    }
    forgetOld();
    if (queued.length > 0) await add(queued);
  }

  async function add(events: readonly NewWebhookEvent[]): Promise<void> {
    const count = await database.write((db) => queueEarly(db, { events, maxWaiting }));
    if (count > 0) onQueued(count);
  }

  function remember({ event: { traceKey }, key }: ToldEvent, event: NewWebhookEvent): void {
    if (traceKey === undefined) return;
    const trace = told.get(traceKey) ?? { sinceMs: performance.now(), events: new Map() };
    told.set(traceKey, trace);
    trace.events.set(`${event.webhookId} ${key}`, event);
  }

  function forgetOld(): void {
    const before = performance.now() - MAX_TOLD_MS;
    for (const [key, { sinceMs }] of told) {
      if (told.size <= MAX_TOLD && sinceMs > before) break;
      told.delete(key);
    }
  }

  async function invalidate(key: HashKey, reason: InvalidationReason): Promise<void> {
    const trace = told.get(key);
    if (trace === undefined) return;
    told.delete(key);
    const name = formatHash(bytesOf(key));
    await add(
      [...trace.events.values()].map(({ webhookId, account, eventId: last }) => {
        const eventId = `${webhookId}-invalidated-${digestOf(last)}`;
        const head = `{"id":"${eventId}","webhook_id":"${webhookId}","address":"${formatAccount(account)}"`;
        const rest = `"type":"trace_invalidated","trace_external_hash_norm":"${name}","reason":"${reason}"}`;
        return { webhookId, account, eventId, body: `${head},${rest}` };
      }),
    );
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
  }, lookMs).unref();
  const unwatch = watchEarly({
    isOpen: () => types.length > 0,
    async interestIn(accounts) {
      return types.length === 0 ? undefined : (await watchersOf(accounts)).interest;
    },
    onEvents: (events) => inTurn(() => queue(events)),
    onInvalidated: (key, reason) => inTurn(() => invalidate(key, reason)),
  });
  return {
    /** Whether there is a webhook that wants such events. */
    isOpen: () => types.length > 0,
    async close(): Promise<void> {
      clearInterval(timer);
      unwatch();
      await looking;
      await chain;
    },
  };
}

function digestOf(text: string): string {
  return hash('sha256', text).slice(0, ID_DIGITS);
}

/** The id of an event that has no place in the index, from what it shows. */
function idOfEarly({ event, watcher: { webhookId } }: ToldEvent, account: string, text: string): string {
  return `${webhookId}-${event.finality}-${digestOf(`${event.type}${text}`)}-${account}`;
}
