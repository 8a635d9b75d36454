import { type RawBuilder, sql } from 'kysely';
import { anyOf, readRows } from '../db/driver.ts';
import type { Db } from '../db/tables/tables.ts';
import type { Payer } from '../lib/payer.ts';
import { isSliceOver, nextSlice } from '../lib/slices.ts';
import { HOLDER_ID, HOLDER_RPS, SLOT_OWNER } from './stored-holders.ts';

/** Webhooks are fed in so many groups; each belongs to one by its id. */
export const FEEDS = 16;

/** A group of webhooks that are fed together. */
export interface StoredFeed {
  readonly number: number;
  /** Behind the seqnos whose events were queued; null before there is a webhook. */
  readonly cursor: string | null;
  /** Of events that its webhooks want. */
  readonly types: readonly string[];
}

/** Whose events are queued together: those of some feeds, or of one webhook that is fed by itself. */
export type Fed = { readonly feeds: readonly number[] } | { readonly webhookId: string };

/** A process that feeds webhooks renews its claims before they end. */
const FEEDER_SECONDS = 15;

/** Renews the feeds of a process, and makes them its share: as many as other processes have. Returns them. */
export function claimFeeds(db: Db, { feeder }: { readonly feeder: string }): Promise<StoredFeed[]> {
  const until = sql<Date>`now() + ${FEEDER_SECONDS}::integer * interval '1 second'`;
  return db.transaction().execute(async (trx) => {
    await sql`delete from webhook_feeders where until < now() and id <> ${feeder}`.execute(trx);
    await sql`insert into webhook_feeders (id, until) values (${feeder}, ${until})
      on conflict (id) do update set until = excluded.until`.execute(trx);
    const [counted] = await readRows<{ readonly feeders: number }>(trx)`
      select count(*)::integer as feeders from webhook_feeders`;
    const share = Math.ceil(FEEDS / counted!.feeders);
    await sql`update webhook_feeds set feeder = null where feeder = ${feeder} and number in (
      select number from webhook_feeds where feeder = ${feeder} order by number offset ${share}::integer)`.execute(
      trx,
    );
    await sql`update webhook_feeds set feeder_until = ${until} where feeder = ${feeder}`.execute(trx);
    await sql`
      with free as (
        select number from webhook_feeds where feeder is null or feeder_until < now() order by number
        limit ${share}::integer - (select count(*) from webhook_feeds where feeder = ${feeder}) for update skip locked
      )
      update webhook_feeds set feeder = ${feeder}, feeder_until = ${until}
      from free where webhook_feeds.number = free.number`.execute(trx);
    return readFeeds(trx, { feeder });
  });
}

/** The feeds of a process. */
export function readFeeds(db: Db, { feeder }: { readonly feeder: string }): Promise<StoredFeed[]> {
  const own = db.selectFrom('webhook_feeds').where('feeder', '=', feeder);
  return own.select(['number', 'cursor', 'types']).orderBy('number').execute();
}

/** Leaves the feeds of a process to others. */
export async function releaseFeeds(db: Db, { feeder }: { readonly feeder: string }): Promise<void> {
  await db.updateTable('webhook_feeds').where('feeder', '=', feeder).set({ feeder: null }).execute();
  await db.deleteFrom('webhook_feeders').where('id', '=', feeder).execute();
}

/** Gives a feed that has no cursor yet one. */
export async function startFeed(
  db: Db,
  { number, cursor }: { readonly number: number; readonly cursor: string },
): Promise<void> {
  const feed = db.updateTable('webhook_feeds').where('number', '=', number).where('cursor', 'is', null);
  await feed.set({ cursor }).execute();
}

/** A webhook of a feed that watches an account. */
interface StoredRoute {
  readonly account: Buffer;
  readonly webhookId: string;
}

const ACCOUNTS_PER_LOOKUP = 5000;

/** The webhooks that watch some accounts. Those of revoked keys are told nothing. */
export async function findRoutes(
  db: Db,
  { fed, accounts }: { readonly fed: Fed; readonly accounts: readonly Buffer[] },
): Promise<StoredRoute[]> {
  const routes: StoredRoute[] = [];
  for (let at = 0; at < accounts.length; at += ACCOUNTS_PER_LOOKUP)
    routes.push(
      ...(await readRows<StoredRoute>(db)`
        select account, webhook_id as "webhookId"
        from webhook_addresses join webhooks on webhooks.id = webhook_id left join api_keys on api_keys.id = key_id
        where account = ${anyOf(accounts.slice(at, at + ACCOUNTS_PER_LOOKUP))} and ${isFed(fed)}`),
    );
  return routes;
}

/** The webhooks that are fed together, with the cursors where they began. */
export function listFed(db: Db, { fed }: { readonly fed: Fed }) {
  return readRows<{ readonly id: string; readonly startCursor: string }>(db)`
    select webhooks.id, start_cursor as "startCursor"
    from webhooks left join api_keys on api_keys.id = key_id where ${isFed(fed)} order by 1`;
}

function isFed(fed: Fed): RawBuilder<boolean> {
  const isOne =
    'webhookId' in fed
      ? sql`webhooks.id = ${fed.webhookId}`
      : sql`webhooks.id % ${FEEDS}::integer = ${anyOf(fed.feeds)} and own_cursor is null`;
  return sql`${isOne} and revoked_at is null`;
}

/** An event of an address, to be sent to a webhook. */
export interface NewWebhookEvent {
  readonly webhookId: string;
  /** 33 bytes. */
  readonly account: Buffer;
  /** The same for the same event, however often it is sent. */
  readonly eventId: string;
  readonly body: string;
}

interface QueuedEvents {
  readonly fed: Fed;
  /** Where the cursor is. */
  readonly from: string;
  readonly to: string;
  /** In the order in which they are sent. */
  readonly events: readonly NewWebhookEvent[];
  /** Webhooks that are told nothing of this: they are fed by themselves from `from` on. */
  readonly leftBehind?: readonly string[];
  /** So is a webhook of a feed for which so many events wait. */
  readonly maxWaiting?: number;
}

/**
 * Queues events and moves the cursor of their webhooks, all or nothing. Returns how many were queued, or undefined, with
 * nothing changed, if the cursor is no longer at `from`: another process has taken over.
 */
export function queueEvents(db: Db, queued: QueuedEvents): Promise<number | undefined> {
  const { fed, from, events, leftBehind = [], maxWaiting = Number.POSITIVE_INFINITY } = queued;
  return db.transaction().execute(async (trx) => {
    if (!(await moveCursor(trx, queued))) return undefined;
    const ids = [...new Set([...events.map(({ webhookId }) => webhookId), ...leftBehind])];
    if (ids.length === 0) return 0;
    // Nobody can delete them until their events can be seen.
    const webhooks = await readRows<{ readonly id: string; readonly waiting: number }>(trx)`
      select id, waiting from webhooks where id = ${anyOf(ids)} order by id for key share`;
    const isBehind = ({ id, waiting }: { readonly id: string; readonly waiting: number }) =>
      leftBehind.includes(id) || ('feeds' in fed && waiting >= maxWaiting);
    const behind = webhooks.filter(isBehind).map(({ id }) => id);
    if (behind.length > 0)
      await trx.updateTable('webhooks').where('id', '=', anyOf(behind)).set({ own_cursor: from }).execute();
    const told = new Set(webhooks.filter((webhook) => !isBehind(webhook)).map(({ id }) => id));
    return addEvents(
      trx,
      events.filter(({ webhookId }) => told.has(webhookId)),
    );
  });
}

/** Queues events that no cursor counts, for webhooks of some feeds for which not too much waits. Returns how many. */
export function queueEarly(
  db: Db,
  { events, maxWaiting }: { readonly events: readonly NewWebhookEvent[]; readonly maxWaiting: number },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const ids = [...new Set(events.map(({ webhookId }) => webhookId))];
    const webhooks = await readRows<{ readonly id: string }>(trx)`
      select id from webhooks where id = ${anyOf(ids)} and waiting < ${maxWaiting}::integer and own_cursor is null
      order by id for key share`;
    const told = new Set(webhooks.map(({ id }) => id));
    return addEvents(
      trx,
      events.filter(({ webhookId }) => told.has(webhookId)),
    );
  });
}

/** Lets webhooks begin at another place. */
export async function moveStarts(
  db: Db,
  { ids, cursor }: { readonly ids: readonly string[]; readonly cursor: string },
): Promise<void> {
  await db.updateTable('webhooks').set({ start_cursor: cursor }).where('id', '=', anyOf(ids)).execute();
}

async function moveCursor(db: Db, { fed, from, to }: QueuedEvents): Promise<boolean> {
  if ('webhookId' in fed) {
    const own = db.updateTable('webhooks').where('id', '=', fed.webhookId).where('own_cursor', '=', from);
    const { numUpdatedRows } = await own.set({ own_cursor: to }).executeTakeFirst();
    return numUpdatedRows > 0n;
  }
  const isOne = sql<boolean>`number = ${anyOf(fed.feeds)} and cursor = ${from}`;
  const feeds = db.selectFrom('webhook_feeds').select('number').where(isOne).orderBy('number').forUpdate();
  if ((await feeds.execute()).length < fed.feeds.length) return false;
  await db.updateTable('webhook_feeds').where(isOne).set({ cursor: to }).execute();
  return true;
}

/** Of one statement. */
const MAX_EVENTS = 500;
const MAX_CHARS = 1_000_000;

async function addEvents(db: Db, events: readonly NewWebhookEvent[]): Promise<number> {
  const counts = new Map<string, number>();
  for (let at = 0; at < events.length; ) {
    const some: NewWebhookEvent[] = [];
    for (let chars = 0; at < events.length && some.length < MAX_EVENTS && chars < MAX_CHARS; at++) {
      some.push(events[at]!);
      chars += events[at]!.body.length;
    }
    for (const { webhookId, count } of await addSome(db, some))
      counts.set(webhookId, (counts.get(webhookId) ?? 0) + count);
    if (isSliceOver()) await nextSlice();
  }
  await addQueues(db, events);
  await sql`
    with locked as (select id from webhooks where id = ${anyOf([...counts.keys()])} order by id for no key update)
    update webhooks set waiting = waiting + added.count, next_try = least(coalesce(next_try, now()), now())
    from locked join unnest(${[...counts.keys()]}::bigint[], ${[...counts.values()]}::integer[]) as added (id, count) using (id)
    where webhooks.id = locked.id`.execute(db);
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns how many are new to their webhooks. */
function addSome(db: Db, events: readonly NewWebhookEvent[]) {
  const column = <Name extends keyof NewWebhookEvent>(name: Name) => events.map((event) => event[name]);
  return readRows<{ readonly webhookId: string; readonly count: number }>(db)`
    with added as (
      insert into webhook_events (webhook_id, account, event_id, body)
      select webhook_id, account, event_id, body
      from unnest(${column('webhookId')}::bigint[], ${column('account')}::bytea[], ${column('eventId')}::text[],
                  ${column('body')}::text[]) with ordinality as one (webhook_id, account, event_id, body, place)
      order by place on conflict do nothing returning webhook_id
    )
    select webhook_id as "webhookId", count(*)::integer as count from added group by 1`;
}

async function addQueues(db: Db, events: readonly NewWebhookEvent[]): Promise<void> {
  const queues = new Map(
    events.map(({ webhookId, account }) => [
      `${webhookId.padStart(ID_DIGITS)} ${account.toString('hex')}`,
      { webhookId, account },
    ]),
  );
  // All who lock several of them do it in the order of their key.
  const names = [...queues.keys()].sort();
  for (let at = 0; at < names.length; at += MAX_EVENTS) {
    const some = names.slice(at, at + MAX_EVENTS).map((name) => queues.get(name)!);
    // The update locks the queue: whoever finds it empty at the same time waits, and then finds the events.
    await sql`
      insert into webhook_queues (webhook_id, account)
      select * from unnest(${some.map(({ webhookId }) => webhookId)}::bigint[],
        ${some.map(({ account }) => account)}::bytea[]) as one (webhook_id, account) order by 1, 2
      on conflict (webhook_id, account) do update set next_try = webhook_queues.next_try`.execute(db);
    if (isSliceOver()) await nextSlice();
  }
}

const ID_DIGITS = 19;

/** A webhook that is fed by itself. */
export interface BehindWebhook {
  readonly webhookId: string;
  readonly cursor: string;
  readonly types: readonly string[];
  /** Who is served in turn: the owner of its key, or the key. */
  readonly owner: string;
  /** Who its events are counted for; undefined for the operator. */
  readonly holder: Payer | undefined;
}

/** Webhooks of some feeds that are fed by themselves: those for which there is room, one of each owner, or all. */
export async function listBehind(
  db: Db,
  { feeds, maxWaiting }: { readonly feeds: readonly number[]; readonly maxWaiting: number | undefined },
): Promise<BehindWebhook[]> {
  const one = maxWaiting === undefined ? sql`webhooks.id` : SLOT_OWNER;
  const rows = await readRows<
    Omit<BehindWebhook, 'holder'> & { readonly holderId: string; readonly rps: number | null }
  >(db)`
    select distinct on (${one}) webhooks.id as "webhookId", own_cursor as cursor, types, ${SLOT_OWNER} as owner,
      ${HOLDER_ID} as "holderId", ${HOLDER_RPS} as rps
    from webhooks left join api_keys on api_keys.id = key_id left join key_owners on key_owners.id = owner_id
    where own_cursor is not null and waiting <= coalesce(${maxWaiting ?? null}::integer, waiting) and revoked_at is null
      and webhooks.id % ${FEEDS}::integer = ${anyOf(feeds)}
    order by ${one}, random()`;
  return rows.map(({ holderId: id, rps, ...webhook }) => ({
    ...webhook,
    holder: rps === null ? undefined : { id, rps },
  }));
}

/** The number of the feed of a webhook. */
export function feedOf(webhookId: string): number {
  return Number(BigInt(webhookId) % BigInt(FEEDS));
}

/** Lets a webhook that has caught up be fed with its feed again, unless one of them has been moved meanwhile. */
export function rejoinFeed(
  db: Db,
  {
    webhookId,
    cursor,
    feedCursor,
  }: { readonly webhookId: string; readonly cursor: string; readonly feedCursor: string },
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const feed = trx.selectFrom('webhook_feeds').select('number').where('number', '=', feedOf(webhookId));
    // Nobody moves it until it is fed with its webhook.
    const isThere = await feed.where('cursor', '=', feedCursor).forUpdate().executeTakeFirst();
    if (isThere === undefined) return;
    const own = trx.updateTable('webhooks').where('id', '=', webhookId).where('own_cursor', '=', cursor);
    await own.set({ own_cursor: null }).execute();
  });
}
