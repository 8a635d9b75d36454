import { type Selectable, sql } from 'kysely';
import { readRows } from '../db/driver.ts';
import { createQueue, inSeconds } from '../db/queue.ts';
import type { Db } from '../db/tables/tables.ts';
import type { WebhookEventsTable } from '../db/tables/webhook-tables.ts';
import { SLOT_OWNER } from './stored-holders.ts';

/** An address with events to send. */
export interface DueQueue {
  readonly webhookId: string;
  readonly account: Buffer;
}

/** The addresses with events; an attempt takes less time than the lease. */
const QUEUE = createQueue({ table: 'webhook_queues', key: ['webhook_id', 'account'], leaseSeconds: 30 });

const keyOf = ({ webhookId, account }: DueQueue) => ({ webhook_id: webhookId, account });

/** A webhook with addresses that may be due. */
export interface DueWebhook {
  readonly id: string;
  /** Who shares the slots of the sender in turn: the owner of its key, or the key. */
  readonly owner: string;
  readonly isFailing: boolean;
  readonly isRevoked: boolean;
}

/** Webhooks with addresses that may be due, the earliest first; those that are paused wait. */
export function findDueWebhooks(
  db: Db,
  {
    withoutOwners,
    withoutIds,
    limit,
  }: {
    readonly withoutOwners: readonly string[];
    readonly withoutIds: readonly string[];
    readonly limit: number;
  },
): Promise<DueWebhook[]> {
  return readRows<DueWebhook>(db)`
    select id, owner, "isFailing", "isRevoked" from (
      select webhooks.id, webhooks.next_try, ${SLOT_OWNER} as owner,
        coalesce(last_failure_at > coalesce(last_success_at, '-infinity'), false) as "isFailing",
        revoked_at is not null as "isRevoked"
      from webhooks left join api_keys on api_keys.id = key_id
      where webhooks.next_try <= now() and paused_at is null and webhooks.id <> all(${withoutIds}::bigint[])
    ) due where owner <> all(${withoutOwners}::text[]) order by next_try limit ${limit}::integer`;
}

/** Notes when webhooks are due next, of which fewer addresses were due than there was room for. */
export async function settleWebhooks(db: Db, { ids }: { readonly ids: readonly string[] }): Promise<void> {
  if (ids.length === 0) return;
  await db.transaction().execute(async (trx) => {
    // Whoever queues an event or postpones a queue meanwhile waits, and then makes the time earlier again.
    await sql`select id from webhooks where id = any(${ids}::bigint[]) order by id for no key update`.execute(
      trx,
    );
    await sql`update webhooks set next_try = (select min(next_try) from webhook_queues where webhook_id = id)
      where id = any(${ids}::bigint[])`.execute(trx);
  });
}

/** Takes queues whose first event is due, at most so many of each webhook. */
export async function takeDueQueues(db: Db, { rooms }: { readonly rooms: ReadonlyMap<string, number> }) {
  if (rooms.size === 0) return [];
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

/** Keeps a queue for those who took it. */
export function keepQueue(db: Db, queue: DueQueue): Promise<void> {
  return QUEUE.reserve(db, [keyOf(queue)]);
}

/** Lets a queue wait for some seconds; then anybody may take it. */
export async function postponeQueue(db: Db, queue: DueQueue, seconds: number): Promise<void> {
  await QUEUE.reserve(db, [keyOf(queue)], seconds);
  await sql`update webhooks set next_try = ${inSeconds(seconds)}
    where id = ${queue.webhookId} and (next_try is null or next_try > ${inSeconds(seconds)})`.execute(db);
}

export interface WaitingEvent {
  readonly eventId: string;
  readonly body: string;
  readonly tries: number;
  /** Seconds since it was queued. */
  readonly age: number;
  readonly url: string;
  readonly secret: Buffer;
  readonly keyId: string | null;
}

/** The first event of a queue, if its webhook is still to be told: one that is paused is not, nor that of a revoked key. */
export async function firstEvent(db: Db, queue: DueQueue): Promise<WaitingEvent | 'none' | 'stopped'> {
  const first = await readFirst(db, queue);
  return first === 'none' ? endQueue(db, queue) : first;
}

async function readFirst(
  db: Db,
  { webhookId, account }: DueQueue,
): Promise<WaitingEvent | 'none' | 'stopped'> {
  const [row] = await readRows<WaitingEvent | { readonly eventId: null }>(db)`
    select url, secret, key_id as "keyId", event_id as "eventId", body, tries,
      extract(epoch from now() - event.created_at)::float8 as age
    from webhooks left join api_keys on api_keys.id = key_id
    left join lateral (
      select * from webhook_events where webhook_id = webhooks.id and account = ${account} and dead_at is null
      order by number limit 1
    ) event on true
    where webhooks.id = ${webhookId} and paused_at is null and revoked_at is null`;
  if (row === undefined) return 'stopped';
  return row.eventId === null ? 'none' : row;
}

/** Removes a queue that was found empty, unless an event has been queued meanwhile. */
function endQueue(db: Db, queue: DueQueue): Promise<WaitingEvent | 'none' | 'stopped'> {
  const isQueue = QUEUE.isOneOf([keyOf(queue)]);
  return db.transaction().execute(async (trx) => {
    // Whoever queues an event at this moment holds the lock until it can be seen.
    await trx.selectFrom('webhook_queues').select('account').where(isQueue).forUpdate().execute();
    const next = await readFirst(trx, queue);
    if (next === 'none') await trx.deleteFrom('webhook_queues').where(isQueue).execute();
    return next;
  });
}

interface SentEvent {
  readonly webhookId: string;
  readonly eventId: string;
}

/** Removes an event that has arrived. */
export async function removeEvent(db: Db, { webhookId, eventId }: SentEvent): Promise<void> {
  await sql`
    with gone as (
      delete from webhook_events where webhook_id = ${webhookId} and event_id = ${eventId} returning dead_at
    )
    update webhooks set delivered = delivered + 1, last_success_at = now(),
      waiting = waiting - (select count(*) from gone where dead_at is null)
    where id = ${webhookId}`.execute(db);
}

/** Notes that an event could not be sent; a dead one is not tried again by itself. */
export async function noteFailure(
  db: Db,
  { webhookId, eventId, error, isDead }: SentEvent & { readonly error: string; readonly isDead: boolean },
): Promise<void> {
  await sql`
    with tried as (
      update webhook_events set tries = tries + 1, error = ${error}, dead_at = ${isDead ? sql`now()` : null}
      where webhook_id = ${webhookId} and event_id = ${eventId} and dead_at is null returning dead_at)
    update webhooks set failed = failed + 1, last_failure_at = now(), last_failure = ${error},
      waiting = waiting - (select count(*) from tried where dead_at is not null)
    where id = ${webhookId}`.execute(db);
}

/** An event that was given up. Times are unix seconds. */
export interface DeadEvent
  extends Pick<Selectable<WebhookEventsTable>, 'number' | 'account' | 'body' | 'tries' | 'error'> {
  readonly eventId: string;
  readonly createdAt: number;
  readonly deadAt: number;
}

/** A page of the events that were given up, oldest first. */
export async function listDeadEvents(
  db: Db,
  {
    webhookId,
    after = '0',
    limit,
  }: { readonly webhookId: string; readonly after?: string | undefined; readonly limit: number },
): Promise<DeadEvent[]> {
  return readRows<DeadEvent>(db)`
    select number, event_id as "eventId", account, body, tries, error,
      floor(extract(epoch from created_at))::integer as "createdAt",
      floor(extract(epoch from dead_at))::integer as "deadAt"
    from webhook_events where webhook_id = ${webhookId} and dead_at is not null and number > ${after}
    order by number limit ${limit}`;
}

/** Sends events that were given up again, all or those with these ids; returns how many. */
export async function reviveEvents(
  db: Db,
  { webhookId, eventIds }: { readonly webhookId: string; readonly eventIds?: readonly string[] | undefined },
): Promise<number> {
  const isNamed = eventIds === undefined ? sql`true` : sql`event_id = any(${eventIds}::text[])`;
  const rows = await readRows<{ readonly count: number }>(db)`
    with revived as (
      update webhook_events set dead_at = null, created_at = now()
      where webhook_id = ${webhookId} and dead_at is not null and ${isNamed} returning account
    ), queued as (
      insert into webhook_queues (webhook_id, account) select distinct ${webhookId}::bigint, account from revived order by 2
      on conflict (webhook_id, account) do update set next_try = now()
    ), noted as (
      update webhooks set waiting = waiting + (select count(*) from revived), next_try = now()
      where id = ${webhookId} and exists (select from revived)
    )
    select count(*)::integer as count from revived`;
  return rows[0]!.count;
}

const DISCARDED_AT_ONCE = 5000;

/** Removes what waits for a webhook that nobody may be told of again, in pieces. */
export async function discardWaiting(db: Db, { webhookId }: { readonly webhookId: string }): Promise<void> {
  for (const [table, isWaiting] of [
    ['webhook_events', sql`dead_at is null`],
    ['webhook_queues', sql`true`],
  ] as const)
    for (let removed = BigInt(DISCARDED_AT_ONCE); removed >= BigInt(DISCARDED_AT_ONCE); ) {
      const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where webhook_id = ${webhookId} and ${isWaiting}
        limit ${DISCARDED_AT_ONCE}::integer))`.execute(db);
      removed = numAffectedRows ?? 0n;
    }
  await db.updateTable('webhooks').set({ waiting: 0, next_try: null }).where('id', '=', webhookId).execute();
}

/** Drops events that were given up so many days ago. */
export async function dropDeadEvents(db: Db, { days }: { readonly days: number }): Promise<void> {
  const limit = sql<Date>`now() - ${days}::integer * interval '1 day'`;
  await db.deleteFrom('webhook_events').where('dead_at', '<', limit).execute();
}

/** Figures over all webhooks. */
export interface WebhookTotals {
  readonly webhooks: number;
  readonly waiting: number;
  readonly dead: number;
  /** Of the oldest waiting event, in seconds; 0 if none waits. */
  readonly oldestSeconds: number;
}

/** Counts over all webhooks; events that were given up only up to a limit. */
export async function readWebhookTotals(db: Db) {
  const [totals] = await readRows<WebhookTotals>(db)`
    select count(*)::integer as webhooks, coalesce(sum(waiting), 0)::integer as waiting,
      (select count(*)::integer from (select from webhook_events where dead_at is not null limit ${MAX_COUNTED}) one) as dead,
      coalesce(extract(epoch from now() - (
        select min(oldest.created_at) from webhooks cross join lateral (
          select created_at from webhook_events where webhook_id = id and dead_at is null order by created_at limit 1
        ) oldest where waiting > 0)), 0)::float8 as "oldestSeconds"
    from webhooks`;
  return totals!;
}

const MAX_COUNTED = 100_000;
