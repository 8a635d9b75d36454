import type { Database } from '../db/connection.ts';
import { backOffDelay } from '../lib/back-off.ts';
import type { Log } from '../lib/log.ts';
import { pause, WakeableTimer } from '../lib/wait.ts';
import { sendToWebhook, type WebhookTransport } from './request.ts';
import {
  type DueQueue,
  dropDeadEvents,
  firstEvent,
  noteFailure,
  postponeQueue,
  removeEvent,
  takeDueQueues,
  type WaitingEvent,
} from './stored-events.ts';
import { listWebhooks, type Webhook } from './stored-webhooks.ts';

export interface WebhookSenderOptions {
  readonly database: Database;
  readonly transport: WebhookTransport;
  readonly log: Log;
  readonly onAttempt: (outcome: 'success' | 'failure' | 'dead', webhook: Webhook) => void;
  /** How often due events are looked for while there are none. */
  readonly pollMs?: number;
}

/** Sends queued events to their webhooks. Any number of processes share the work. */
export interface WebhookSender {
  /** Looks for due events at once. */
  wake(): void;
  close(): Promise<void>;
}

/** Addresses of one webhook that are served at the same time, while it responds and while it does not. */
const MAX_QUEUES = 16;
const MAX_FAILING_QUEUES = 1;
/** Of all webhooks. */
const MAX_ALL_QUEUES = 200;
/** Events of an address that are sent in a row before others get their turn. */
const MAX_IN_A_ROW = 50;
const FIRST_DELAY_SECONDS = 5;
const MAX_DELAY_SECONDS = 3600;
/** An event is given up after this time. */
const GIVE_UP_SECONDS = 3 * 86_400;
const KEEP_DEAD_DAYS = 30;
const POLL_MS = 500;
const MIN_PAUSE_MS = 20;
const LIST_INTERVAL_MS = 1000;
const DROP_INTERVAL_MS = 3_600_000;
const MAX_ERROR_CHARS = 300;

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { database, transport, log, onAttempt, pollMs = POLL_MS } = options;
  const end = new AbortController();
  /** Queues that are being served, by webhook. */
  const busy = new Map<string, number>();
  /** Webhooks whose last attempt failed. */
  const failing = new Set<string>();
  const running = new Set<Promise<void>>();
  const timer = new WakeableTimer();
  let isWoken = false;
  let webhooks: readonly Webhook[] = [];
  let listedAtMs = Number.NEGATIVE_INFINITY;
  let droppedAtMs = performance.now();

  /** How many more queues of each webhook may be taken. */
  function roomsOf(): ReadonlyMap<string, number> {
    let left = MAX_ALL_QUEUES - running.size;
    const rooms = new Map<string, number>();
    for (const { id, pausedAt } of shuffled(webhooks)) {
      const limit = failing.has(id) ? MAX_FAILING_QUEUES : MAX_QUEUES;
      const room = pausedAt === null ? Math.min(left, limit - (busy.get(id) ?? 0)) : 0;
      if (room <= 0) continue;
      rooms.set(id, room);
      left -= room;
    }
    return rooms;
  }

  async function takeRound(): Promise<number> {
    if (performance.now() - listedAtMs > LIST_INTERVAL_MS) {
      webhooks = await database.write((db) => listWebhooks(db));
      listedAtMs = performance.now();
    }
    const rooms = roomsOf();
    if (rooms.size === 0) return 0;
    const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    const queues = await database.write((db) => takeDueQueues(db, { rooms }));
    for (const queue of queues) start(queue, byId.get(queue.webhookId)!);
    return queues.length;
  }

  function start(queue: DueQueue, webhook: Webhook): void {
    busy.set(webhook.id, (busy.get(webhook.id) ?? 0) + 1);
    const work = serveQueue(queue, webhook)
      .catch((error: unknown) => {
        // The lease of the queue ends by itself.
        if (!end.signal.aborted) log.warn({ err: error, webhook: webhook.id }, 'Webhook queue failed');
      })
      .finally(() => {
        running.delete(work);
        busy.set(webhook.id, busy.get(webhook.id)! - 1);
        wake();
      });
    running.add(work);
  }

  /** Sends the events of an address in their order, until none is left or one fails. */
  async function serveQueue(queue: DueQueue, webhook: Webhook): Promise<void> {
    for (let sent = 0; sent < MAX_IN_A_ROW; sent++) {
      const event = await database.write((db) => firstEvent(db, queue));
      if (event === undefined) return;
      if (sent > 0) await database.write((db) => postponeQueue(db, queue));
      const isDone = await sendOne(queue, webhook, event);
      if (!isDone) return;
    }
    await database.write((db) => postponeQueue(db, queue, 0));
  }

  /** Sends one event; false if the queue has to wait. */
  async function sendOne(queue: DueQueue, webhook: Webhook, event: WaitingEvent): Promise<boolean> {
    const { webhookId } = queue;
    const { eventId, body, tries, age } = event;
    const { url, secret } = webhook;
    const request = { url: new URL(url), secret, webhookId, eventId, attempt: tries + 1, body };
    const failure = await sendToWebhook(request, transport, end.signal);
    if (failure === undefined) {
      failing.delete(webhookId);
      onAttempt('success', webhook);
      await database.write((db) => removeEvent(db, { webhookId, eventId }));
      return true;
    }
    failing.add(webhookId);
    const isDead = age >= GIVE_UP_SECONDS;
    onAttempt(isDead ? 'dead' : 'failure', webhook);
    const error = failure.slice(0, MAX_ERROR_CHARS);
    await database.write((db) => noteFailure(db, { webhookId, eventId, error, isDead }));
    if (isDead) {
      log.warn({ webhook: webhookId, event: eventId, error }, 'Webhook event given up');
      return true;
    }
    const delay = backOffDelay(tries + 1, FIRST_DELAY_SECONDS, MAX_DELAY_SECONDS) * (0.5 + Math.random() / 2);
    await database.write((db) => postponeQueue(db, queue, delay));
    return false;
  }

  async function dropOld(): Promise<void> {
    if (performance.now() - droppedAtMs < DROP_INTERVAL_MS) return;
    droppedAtMs = performance.now();
    await database.write((db) => dropDeadEvents(db, { days: KEEP_DEAD_DAYS }));
  }

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      isWoken = false;
      let taken = 0;
      try {
        taken = await takeRound();
        await dropOld();
      } catch (error) {
        if (!end.signal.aborted) log.warn({ err: error }, 'Failed to take webhook events');
      }
      // Queues that end one after the other are replaced together.
      if (taken > 0 || isWoken) await pause(MIN_PAUSE_MS, end.signal);
      else await timer.wait(pollMs, end.signal);
    }
  }

  function wake(): void {
    isWoken = true;
    timer.wake();
  }

  const loop = run();
  return {
    wake,
    async close() {
      end.abort(new Error('The webhook sender was closed'));
      wake();
      await loop;
      await Promise.all(running);
    },
  };
}

/** A fixed order would always leave out the same webhooks when there is no room for all. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
