import type { Database } from '../db/connection.ts';
import type { Db } from '../db/tables/tables.ts';
import { backOffDelay } from '../lib/back-off.ts';
import { Failure } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { pause, WakeableTimer } from '../lib/wait.ts';
import { sendToWebhook, type WebhookTransport } from './request.ts';
import type { WebhookSlots } from './slots.ts';
import {
  type DueQueue,
  type DueWebhook,
  discardWaiting,
  dropDeadEvents,
  findDueWebhooks,
  firstEvent,
  keepQueue,
  noteFailure,
  postponeQueue,
  removeEvent,
  settleWebhooks,
  takeDueQueues,
  type WaitingEvent,
} from './stored-events.ts';
import { removeRemains } from './stored-webhooks.ts';

export interface WebhookSenderOptions {
  readonly database: Pick<Database, 'write'>;
  readonly transport: WebhookTransport;
  readonly slots: WebhookSlots;
  readonly log: Log;
  readonly onAttempt: (outcome: 'success' | 'failure' | 'dead', webhook: Pick<WaitingEvent, 'keyId'>) => void;
  /** How often due events are looked for while there are none. */
  readonly pollMs?: number;
}

/** Webhooks that are looked at together. */
const MAX_DUE = 500;
/** Events of an address that are sent in a row before others get their turn. */
const MAX_IN_A_ROW = 50;
/** Statements at a time: requests need the other connections. */
const MAX_STATEMENTS = 4;
const STATEMENT_WAIT_MS = 60_000;
const FIRST_DELAY_SECONDS = 5;
const MAX_DELAY_SECONDS = 3600;
/** An event is given up after this time. */
const GIVE_UP_SECONDS = 3 * 86_400;
const KEEP_DEAD_DAYS = 30;
const POLL_MS = 500;
const MIN_PAUSE_MS = 20;
const DROP_INTERVAL_MS = 3_600_000;
const REMAINS_INTERVAL_MS = 10_000;
const MAX_ERROR_CHARS = 300;

/** Creates the sender of queued events. Any number of processes share the work. */
export function createWebhookSender(options: WebhookSenderOptions) {
  const { database, transport, slots, log, onAttempt, pollMs = POLL_MS } = options;
  const end = new AbortController();
  const running = new Set<Promise<void>>();
  const timer = new WakeableTimer();
  const statements = new Semaphore(
    MAX_STATEMENTS,
    () => new Failure('overloaded', 'statements of the webhook sender wait too long'),
  );
  let isWoken = false;
  let droppedAtMs = performance.now();
  let remainsAtMs = performance.now();

  async function write<T>(work: (db: Db) => Promise<T>): Promise<T> {
    await statements.acquire(STATEMENT_WAIT_MS);
    try {
      return await database.write(work);
    } finally {
      statements.release();
    }
  }

  /** Takes queues that are due, as far as there is room; returns how many. */
  async function takeRound(): Promise<number> {
    if (slots.isFull()) return 0;
    const { owners: withoutOwners, webhookIds: withoutIds } = slots.full();
    const due = await write((db) => findDueWebhooks(db, { withoutOwners, withoutIds, limit: MAX_DUE }));
    for (const { id } of due.filter(({ isRevoked }) => isRevoked)) {
      await write((db) => discardWaiting(db, { webhookId: id }));
      log.info({ webhook: id }, 'Webhook events discarded because the key was revoked');
    }
    const wanted = new Map(due.filter(({ isRevoked }) => !isRevoked).map((one) => [one.id, one]));
    const rooms = slots.grant([...wanted.values()].map((one) => ({ ...one, webhookId: one.id })));
    if (rooms.size === 0) return 0;
    const queues = await write((db) => takeDueQueues(db, { rooms }));
    const counts = Map.groupBy(queues, ({ webhookId }) => webhookId);
    for (const queue of queues) start(queue, wanted.get(queue.webhookId)!);
    const ids = [...rooms].filter(([id, room]) => (counts.get(id)?.length ?? 0) < room).map(([id]) => id);
    await write((db) => settleWebhooks(db, { ids }));
    return queues.length;
  }

  function start(queue: DueQueue, webhook: DueWebhook): void {
    const release = slots.take({ owner: webhook.owner, webhookId: webhook.id });
    const work = serveQueue(queue)
      .catch((error: unknown) => {
        // The lease of the queue ends by itself.
        if (!end.signal.aborted) log.warn({ err: error, webhook: webhook.id }, 'Webhook queue failed');
      })
      .finally(() => {
        running.delete(work);
        release();
        wake();
      });
    running.add(work);
  }

  /** Sends the events of an address in their order, until none is left, one fails, or the webhook was stopped. */
  async function serveQueue(queue: DueQueue): Promise<void> {
    for (let sent = 0; sent < MAX_IN_A_ROW; sent++) {
      const event = await write((db) => firstEvent(db, queue));
      if (event === 'none') return;
      if (event === 'stopped') break;
      if (sent > 0) await write((db) => keepQueue(db, queue));
      const isDone = await sendOne(queue, event);
      if (!isDone) return;
    }
    await write((db) => postponeQueue(db, queue, 0));
  }

  /** Sends one event; false if the queue has to wait. */
  async function sendOne(queue: DueQueue, event: WaitingEvent): Promise<boolean> {
    const { webhookId } = queue;
    const { eventId, body, tries, age, url, secret } = event;
    const request = { url: new URL(url), secret, webhookId, eventId, attempt: tries + 1, body };
    const failure = await sendToWebhook(request, transport, end.signal);
    if (failure === undefined) {
      onAttempt('success', event);
      await write((db) => removeEvent(db, { webhookId, eventId }));
      return true;
    }
    const isDead = age >= GIVE_UP_SECONDS;
    onAttempt(isDead ? 'dead' : 'failure', event);
    const error = failure.slice(0, MAX_ERROR_CHARS);
    await write((db) => noteFailure(db, { webhookId, eventId, error, isDead }));
    if (isDead) {
      log.warn({ webhook: webhookId, event: eventId, error }, 'Webhook event given up');
      return true;
    }
    const delay = backOffDelay(tries + 1, FIRST_DELAY_SECONDS, MAX_DELAY_SECONDS) * (0.5 + Math.random() / 2);
    await write((db) => postponeQueue(db, queue, delay));
    return false;
  }

  async function dropOld(): Promise<void> {
    if (performance.now() - remainsAtMs > REMAINS_INTERVAL_MS) {
      const hasMore = await write(removeRemains);
      if (!hasMore) remainsAtMs = performance.now();
    }
    if (performance.now() - droppedAtMs < DROP_INTERVAL_MS) return;
    droppedAtMs = performance.now();
    await write((db) => dropDeadEvents(db, { days: KEEP_DEAD_DAYS }));
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
    /** Looks for due events at once. */
    wake,
    async close(): Promise<void> {
      end.abort(new Error('The webhook sender was closed'));
      wake();
      await loop;
      await Promise.all(running);
    },
  };
}
