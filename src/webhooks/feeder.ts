import { randomUUID } from 'node:crypto';
import type { Database } from '../db/connection.ts';
import { bytesKey, bytesOf, type HashKey } from '../lib/bytes-key.ts';
import type { Log } from '../lib/log.ts';
import { pause } from '../lib/wait.ts';
import type { Cursor } from '../streaming/cursor.ts';
import type { StreamEvent } from '../streaming/events.ts';
import type { IndexFollower } from '../streaming/follow-index.ts';
import type { Hub } from '../streaming/hub.ts';
import { type GapReason, type Receiver, Standing } from '../streaming/receiver.ts';
import { type EventType, emptySubscription, type Subscription } from '../streaming/subscription.ts';
import { formatAccount } from '../v3/values.ts';
import { claimWebhooks, type NewWebhookEvent, queueEvents, releaseWebhooks } from './stored-events.ts';
import { findWebhook, listAddresses, type Webhook } from './stored-webhooks.ts';

export interface WebhookFeederOptions {
  readonly database: Database;
  readonly hub: Pick<Hub, 'subscribe' | 'remove'>;
  readonly follower: Pick<IndexFollower, 'network' | 'position'>;
  readonly log: Log;
  /** Called when events were queued. */
  readonly onQueued: (count: number) => void;
  readonly claimMs?: number;
}

/** Queues the events of webhooks. Each webhook is fed by one process; another takes over when that ends. */
export interface WebhookFeeder {
  /** Webhooks that this process feeds. */
  count(): number;
  close(): Promise<void>;
}

const CLAIM_MS = 5000;

export function createWebhookFeeder(options: WebhookFeederOptions): WebhookFeeder {
  const { database, hub, follower, log, onQueued, claimMs = CLAIM_MS } = options;
  const network = () => follower.network();
  const feeder = randomUUID();
  const end = new AbortController();
  const fed = new Map<string, FedWebhook>();

  async function claim(): Promise<void> {
    // Until then it is unknown where the index is.
    if (follower.position() === undefined) return;
    const ids = new Set(await database.write((db) => claimWebhooks(db, { feeder })));
    for (const [id, one] of fed) if (!ids.has(id) || one.isClosed) stop(id, one);
    for (const id of ids) await feed(id);
  }

  function stop(id: string, one: FedWebhook): void {
    one.close();
    hub.remove(one);
    fed.delete(id);
  }

  /** Starts to feed a webhook, or starts again with what it wants now. */
  async function feed(id: string): Promise<void> {
    const webhook = await database.write((db) => findWebhook(db, { id }));
    const before = fed.get(id);
    if (webhook === undefined || before?.revision === webhook.revision) return;
    if (before !== undefined) {
      stop(id, before);
      await before.settled();
    }
    const accounts = await database.write((db) => listAddresses(db, { id }));
    // Events queued until now have moved the cursor.
    const current = await database.write((db) => findWebhook(db, { id }));
    if (current === undefined || end.signal.aborted) return;
    const one = new FedWebhook(current, subscriptionOf(current, accounts), {
      database,
      network,
      log,
      onQueued,
    });
    fed.set(id, one);
    hub.subscribe(one, {
      subscription: one.subscription,
      answer: '',
      lastEventId: current.cursor,
      replayExisting: false,
    });
  }

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      try {
        await claim();
      } catch (error) {
        if (!end.signal.aborted) log.warn({ err: error }, 'Failed to claim webhooks');
      }
      await pause(claimMs, end.signal);
    }
  }

  const loop = run();
  return {
    count: () => fed.size,
    async close() {
      end.abort();
      await loop;
      const ones = [...fed];
      for (const [id, one] of ones) stop(id, one);
      await Promise.all(ones.map(([, one]) => one.settled()));
      await database.write((db) => releaseWebhooks(db, { feeder })).catch(() => {});
    },
  };
}

/** The subscription of a webhook: everything final, also traces that no external message started. */
function subscriptionOf(webhook: Webhook, accounts: readonly Buffer[]): Subscription {
  return {
    ...emptySubscription(undefined),
    addresses: new Set(accounts.map(bytesKey)),
    types: new Set(webhook.types as EventType[]),
    actionTypes: new Set(webhook.actionTypes),
    includeAddressBook: webhook.includeAddressBook,
    includeMetadata: webhook.includeMetadata,
    includeSystemTraces: true,
    extended: true,
    cursors: true,
  };
}

/** Events that are not stored yet; with more, the webhook starts again from what is stored. */
const MAX_UNSTORED = 5000;
/** A replay pauses while so many are not stored. */
const ROOM = 500;
/** How often the cursor of a webhook without events is stored. */
const IDLE_STORE_MS = 10_000;

interface FeedPorts extends Pick<WebhookFeederOptions, 'database' | 'log' | 'onQueued'> {
  /** Eight hex digits that identify the network. */
  readonly network: () => string;
}

/** A webhook among the receivers of events: what it is offered is queued in the database. */
class FedWebhook extends Standing implements Receiver {
  readonly transport = 'webhook';
  readonly missesNothing = true;
  readonly revision: number;
  readonly #id: string;
  readonly #ports: FeedPorts;
  /** The cursor in the database. */
  #stored: string;
  #storedAtMs = performance.now();
  #unstored: NewWebhookEvent[] = [];
  #storing: Promise<void> | undefined;

  constructor({ id, revision, cursor }: Webhook, subscription: Subscription, ports: FeedPorts) {
    super(subscription, ports.network);
    this.#id = id;
    this.revision = revision;
    this.#stored = cursor;
    this.#ports = ports;
  }

  get queued(): number {
    return this.#unstored.length;
  }

  override advanceTo(cursor: Cursor): void {
    super.advanceTo(cursor);
    if (performance.now() - this.#storedAtMs > IDLE_STORE_MS) this.#store();
  }

  offer(event: StreamEvent): void {
    const { at } = event;
    if (this.isClosed || at === undefined || !this.advance(at.lane, at.place)) return;
    for (const key of event.accounts) if (this.subscription.addresses.has(key)) this.#add(event, key);
    if (this.#unstored.length > MAX_UNSTORED) this.close();
    else if (this.#unstored.length > 0) this.#store();
  }

  /** Each address has an event of its own: their order is kept by address. */
  #add(event: StreamEvent, key: HashKey): void {
    const text = event.textFor({ ...this.subscription, addresses: new Set([key]) });
    if (text === undefined) return;
    const account = bytesOf(key);
    const { lane, place } = event.at!;
    const eventId = `${this.#id}-${lane}-${place.seqno}-${place.index}-${account.toString('hex', 0, ID_BYTES)}`;
    const head = `{"id":"${eventId}","webhook_id":"${this.#id}","address":"${formatAccount(account)}","type":"${event.type}"`;
    this.#unstored.push({ account, eventId, body: `${head}${text}` });
  }

  /** Events that cannot be replayed: the owner is told once for every address queue that they would have been in. */
  gap(from: string, to: Cursor, reason: GapReason): void {
    const { log } = this.#ports;
    log.warn({ webhook: this.#id, from, reason }, 'Webhook events were lost');
    const toText = this.cursorText(to);
    const eventId = `${this.#id}-gap-${toText}`;
    const head = `{"id":"${eventId}","webhook_id":"${this.#id}","address":null,"type":"gap"`;
    const body = `${head},"from":"${from}","to":"${toText}","reason":"${reason}"}`;
    this.#unstored.push({ account: NO_ACCOUNT, eventId, body });
    this.#store();
  }

  /** Stores what is not stored yet, with the cursor; what comes meanwhile is stored after it. */
  #store(): void {
    if (this.#storing !== undefined || this.isClosed) return;
    this.#storing = this.#storeAll().finally(() => {
      this.#storing = undefined;
    });
  }

  async #storeAll(): Promise<void> {
    const { database, log, onQueued } = this.#ports;
    try {
      // Events offered in the same turn are stored together.
      await Promise.resolve();
      do {
        const events = this.#unstored.splice(0);
        const [from, to] = [this.#stored, this.cursorText()];
        const isStored = await database.write((db) =>
          queueEvents(db, { webhookId: this.#id, from, to, events }),
        );
        if (!isStored) {
          // Another process feeds it, or it was deleted.
          this.close();
          return;
        }
        this.#stored = to;
        this.#storedAtMs = performance.now();
        if (events.length > 0) onQueued(events.length);
      } while (this.#unstored.length > 0);
    } catch (error) {
      log.warn({ err: error, webhook: this.#id }, 'Failed to queue webhook events');
      this.close();
    }
  }

  /** Resolves when a replay may go on. */
  async room(): Promise<void> {
    while (this.#unstored.length > ROOM && !this.isClosed) await (this.#storing ?? Promise.resolve());
  }

  /** Resolves when nothing is being stored. */
  async settled(): Promise<void> {
    await this.#storing;
  }

  /** It starts again from what is stored. */
  fail(): void {
    this.close();
  }

  close(): void {
    this.isClosed = true;
    this.#unstored = [];
  }

  // Webhooks have no answers and no events below finalized.
  answer(): void {}
  noteStart(): void {}
  invalidate(): void {}
  expireSeen(): void {}
}

const ID_BYTES = 9;
const NO_ACCOUNT = Buffer.alloc(0);
