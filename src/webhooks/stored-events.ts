import { type Kysely, sql } from 'kysely';
import { createQueue } from '../db/queue.ts';
import type { Tables } from '../db/tables/tables.ts';

/** An event of an address, to be sent to a webhook. */
export interface NewWebhookEvent {
  /** 33 bytes. */
  readonly account: Buffer;
  /** The same for the same event, however often it is sent. */
  readonly eventId: string;
  readonly body: string;
}

/** A process that feeds webhooks renews its claim before it ends. */
const FEEDER_SECONDS = 15;

/** Claims webhooks that no other process feeds, and renews the claim of those that this one feeds; returns the ids of both. */
export async function claimWebhooks(
  db: Kysely<Tables>,
  { feeder }: { readonly feeder: string },
): Promise<string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    with free as (
      select id from webhooks where feeder is null or feeder = ${feeder} or feeder_until < now()
      order by id for update skip locked
    )
    update webhooks set feeder = ${feeder}, feeder_until = now() + ${FEEDER_SECONDS}::integer * interval '1 second'
    from free where webhooks.id = free.id returning webhooks.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Leaves all webhooks of a process to others. */
export async function releaseWebhooks(
  db: Kysely<Tables>,
  { feeder }: { readonly feeder: string },
): Promise<void> {
  await sql`update webhooks set feeder = null, feeder_until = null where feeder = ${feeder}`.execute(db);
}

/**
 * Queues events and moves the cursor of their webhook, all or nothing. Returns false, with nothing changed, if the cursor is
 * no longer at `from`: another process has taken over.
 */
export async function queueEvents(
  db: Kysely<Tables>,
  {
    webhookId,
    from,
    to,
    events,
  }: {
    readonly webhookId: string;
    readonly from: string;
    readonly to: string;
    readonly events: readonly NewWebhookEvent[];
  },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { numAffectedRows } = await sql`
      update webhooks set cursor = ${to} where id = ${webhookId} and cursor = ${from}`.execute(trx);
    if (numAffectedRows === 0n) return false;
    if (events.length === 0) return true;
    await sql`
      insert into webhook_events (webhook_id, account, event_id, body)
      select ${webhookId}::bigint, account, event_id, body
      from unnest(${events.map(({ account }) => account)}::bytea[], ${events.map(({ eventId }) => eventId)}::text[],
                  ${events.map(({ body }) => body)}::text[]) with ordinality as one (account, event_id, body, place)
      order by place on conflict do nothing`.execute(trx);
    // The update locks the queue: whoever finds it empty at the same time waits, and then finds the events.
    await sql`
      insert into webhook_queues (webhook_id, account)
      select distinct ${webhookId}::bigint, account
      from unnest(${events.map(({ account }) => account)}::bytea[]) as one (account) order by account
      on conflict (webhook_id, account) do update set next_try = webhook_queues.next_try`.execute(trx);
    return true;
  });
}

/** An address with events to send. */
export interface DueQueue {
  readonly webhookId: string;
  readonly account: Buffer;
}

/** The addresses with events; an attempt takes less time than the lease. */
const QUEUE = createQueue({ table: 'webhook_queues', key: ['webhook_id', 'account'], leaseSeconds: 30 });

const keyOf = ({ webhookId, account }: DueQueue) => ({ webhook_id: webhookId, account });

/** Takes queues whose first event is due, at most so many of each webhook. Those of paused webhooks wait. */
export async function takeDueQueues(
  db: Kysely<Tables>,
  { rooms }: { readonly rooms: ReadonlyMap<string, number> },
): Promise<DueQueue[]> {
  const dueOfHook = QUEUE.due(db)
    .where(sql<boolean>`webhook_id = hook.id`)
    .orderBy('next_try')
    .limit(sql<number>`hook.room`);
  const rows = await QUEUE.take(
    db,
    () => sql`
      select due_queue.* from unnest(${[...rooms.keys()]}::bigint[], ${[...rooms.values()]}::integer[]) as hook (id, room)
      cross join lateral ${dueOfHook} due_queue`,
  );
  return rows.map(({ webhook_id, account }) => ({ webhookId: webhook_id, account }));
}

/** Lets a queue wait, by default for those who took it. */
export function postponeQueue(db: Kysely<Tables>, queue: DueQueue, seconds?: number): Promise<void> {
  return QUEUE.reserve(db, [keyOf(queue)], seconds);
}

/** An event that waits. */
export interface WaitingEvent {
  readonly eventId: string;
  readonly body: string;
  readonly tries: number;
  /** Seconds since it was queued. */
  readonly age: number;
}

/** The first event of a queue; undefined if none is left, which ends the queue. */
export async function firstEvent(db: Kysely<Tables>, queue: DueQueue): Promise<WaitingEvent | undefined> {
  return (await readFirst(db, queue)) ?? endQueue(db, queue);
}

async function readFirst(
  db: Kysely<Tables>,
  { webhookId, account }: DueQueue,
): Promise<WaitingEvent | undefined> {
  const { rows } = await sql<WaitingEvent>`
    select event_id as "eventId", body, tries, extract(epoch from now() - created_at)::float8 as age
    from webhook_events where webhook_id = ${webhookId} and account = ${account} and dead_at is null
    order by number limit 1`.execute(db);
  return rows[0];
}

function endQueue(db: Kysely<Tables>, queue: DueQueue): Promise<WaitingEvent | undefined> {
  const { webhookId, account } = queue;
  return db.transaction().execute(async (trx) => {
    // Whoever queues an event at this moment holds the lock until it can be seen.
    await sql`select from webhook_queues where webhook_id = ${webhookId} and account = ${account} for update`.execute(
      trx,
    );
    const next = await readFirst(trx, queue);
    if (next === undefined)
      await sql`delete from webhook_queues where webhook_id = ${webhookId} and account = ${account}`.execute(
        trx,
      );
    return next;
  });
}

interface SentEvent {
  readonly webhookId: string;
  readonly eventId: string;
}

/** Removes an event that has arrived. */
export async function removeEvent(db: Kysely<Tables>, { webhookId, eventId }: SentEvent): Promise<void> {
  await sql`
    with gone as (delete from webhook_events where webhook_id = ${webhookId} and event_id = ${eventId})
    update webhooks set delivered = delivered + 1, last_success_at = now() where id = ${webhookId}`.execute(
    db,
  );
}

/** Notes that an event could not be sent; a dead one is not tried again by itself. */
export async function noteFailure(
  db: Kysely<Tables>,
  { webhookId, eventId, error, isDead }: SentEvent & { readonly error: string; readonly isDead: boolean },
): Promise<void> {
  await sql`
    with tried as (
      update webhook_events set tries = tries + 1, error = ${error}, dead_at = ${isDead ? sql`now()` : null}
      where webhook_id = ${webhookId} and event_id = ${eventId})
    update webhooks set failed = failed + 1, last_failure_at = now(), last_failure = ${error}
    where id = ${webhookId}`.execute(db);
}

/** An event that was given up. */
export interface DeadEvent {
  readonly number: string;
  readonly eventId: string;
  readonly account: Buffer;
  readonly body: string;
  readonly tries: number;
  readonly error: string | null;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly deadAt: number;
}

/** A page of the events that were given up, oldest first. */
export async function listDeadEvents(
  db: Kysely<Tables>,
  {
    webhookId,
    after = '0',
    limit,
  }: { readonly webhookId: string; readonly after?: string | undefined; readonly limit: number },
): Promise<DeadEvent[]> {
  const { rows } = await sql<DeadEvent>`
    select number, event_id as "eventId", account, body, tries, error,
      floor(extract(epoch from created_at))::integer as "createdAt",
      floor(extract(epoch from dead_at))::integer as "deadAt"
    from webhook_events where webhook_id = ${webhookId} and dead_at is not null and number > ${after}
    order by number limit ${limit}`.execute(db);
  return rows;
}

/** Sends events that were given up again, all or those with these ids; returns how many. */
export async function reviveEvents(
  db: Kysely<Tables>,
  { webhookId, eventIds }: { readonly webhookId: string; readonly eventIds?: readonly string[] | undefined },
): Promise<number> {
  const isNamed = eventIds === undefined ? sql`true` : sql`event_id = any(${eventIds}::text[])`;
  const { rows } = await sql<{ readonly count: number }>`
    with revived as (
      update webhook_events set dead_at = null, created_at = now()
      where webhook_id = ${webhookId} and dead_at is not null and ${isNamed} returning account
    ), queued as (
      insert into webhook_queues (webhook_id, account) select distinct ${webhookId}::bigint, account from revived
      on conflict (webhook_id, account) do update set next_try = now()
    )
    select count(*)::integer as count from revived`.execute(db);
  return rows[0]!.count;
}

/** Drops events that were given up so many days ago. */
export async function dropDeadEvents(db: Kysely<Tables>, { days }: { readonly days: number }): Promise<void> {
  await sql`delete from webhook_events where dead_at < now() - ${days}::integer * interval '1 day'`.execute(
    db,
  );
}

/** Figures over all webhooks. */
export interface WebhookTotals {
  readonly webhooks: number;
  readonly waiting: number;
  readonly dead: number;
  /** Of the oldest waiting event, in seconds; 0 if none waits. */
  readonly oldestSeconds: number;
}

/** Counts over all webhooks, up to a limit. */
export async function readWebhookTotals(db: Kysely<Tables>): Promise<WebhookTotals> {
  const { rows } = await sql<WebhookTotals>`
    select (select count(*)::integer from webhooks) as webhooks,
      (select count(*)::integer from (select from webhook_events where dead_at is null limit ${MAX_COUNTED}) one) as waiting,
      (select count(*)::integer from (select from webhook_events where dead_at is not null limit ${MAX_COUNTED}) one) as dead,
      coalesce((select extract(epoch from now() - min(created_at)) from webhook_events where dead_at is null), 0)::float8
        as "oldestSeconds"`.execute(db);
  return rows[0]!;
}

const MAX_COUNTED = 100_000;
