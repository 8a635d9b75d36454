import { type Selectable, sql } from 'kysely';
import { anyOf, readRows } from '../db/driver.ts';
import type { Db } from '../db/tables/tables.ts';
import type { WebhooksTable } from '../db/tables/webhook-tables.ts';
import { isSliceOver, nextSlice } from '../lib/slices.ts';
import { FEEDS, feedOf } from './stored-feeds.ts';
import { isOfHolder, lockHolder, type WebhookHolder } from './stored-holders.ts';

/** A webhook as it is stored. Times are unix seconds; accounts have 33 bytes. */
export type Webhook = ReturnType<typeof toWebhook>;

type WebhookRow = Selectable<WebhooksTable> & { readonly revoked_at: Date | null };

function toWebhook(row: WebhookRow) {
  return {
    id: row.id,
    keyId: row.key_id,
    url: row.url,
    secret: row.secret,
    types: row.types as readonly string[],
    actionTypes: row.action_types as readonly string[],
    includeAddressBook: row.include_address_book,
    includeMetadata: row.include_metadata,
    minFinality: row.min_finality as WebhookFinality,
    startCursor: row.start_cursor,
    addresses: row.addresses,
    /** Events that have not arrived yet and were not given up. */
    waiting: row.waiting,
    pausedAt: toUnixSeconds(row.paused_at),
    /** When its key was revoked, which ends it. */
    revokedAt: toUnixSeconds(row.revoked_at),
    createdAt: toUnixSeconds(row.created_at)!,
    delivered: Number(row.delivered),
    failed: Number(row.failed),
    lastSuccessAt: toUnixSeconds(row.last_success_at),
    lastFailureAt: toUnixSeconds(row.last_failure_at),
    lastFailure: row.last_failure,
  };
}

/** The least finality of the events of a webhook. Predictions are not for webhooks: each would be sent again and again. */
export type WebhookFinality = 'confirmed' | 'finalized';

function toUnixSeconds(time: Date | null): number | null {
  return time === null ? null : Math.floor(time.getTime() / 1000);
}

function webhooksWithKeys(db: Db) {
  return db
    .selectFrom('webhooks')
    .leftJoin('api_keys', 'api_keys.id', 'key_id')
    .selectAll('webhooks')
    .select('api_keys.revoked_at');
}

export interface WebhookBacklog {
  readonly webhook: Webhook;
  readonly dead: number;
  /** When the oldest waiting event was queued, in unix seconds; null if none waits. */
  readonly oldestAt: number | null;
}

/** All webhooks, those of a key, or one of them, with what waits for them; oldest first. */
export async function listWebhooks(
  db: Db,
  { keyId, id }: { readonly keyId?: string | undefined; readonly id?: string | undefined } = {},
): Promise<WebhookBacklog[]> {
  if (id !== undefined && !isId(id)) return [];
  let query = webhooksWithKeys(db).select([
    sql<number>`(select count(*)::integer from webhook_events
      where webhook_id = webhooks.id and dead_at is not null)`.as('dead'),
    sql<Date | null>`(select created_at from webhook_events
      where webhook_id = webhooks.id and dead_at is null order by created_at limit 1)`.as('oldest'),
  ]);
  if (keyId !== undefined) query = query.where('key_id', '=', keyId);
  if (id !== undefined) query = query.where('webhooks.id', '=', id);
  const rows = await query.orderBy('webhooks.id').execute();
  return rows.map((row) => ({
    webhook: toWebhook(row),
    dead: row.dead,
    oldestAt: toUnixSeconds(row.oldest),
  }));
}

/** The types of events that webhooks of some feeds want before they are final. */
export async function readEarlyTypes(
  db: Db,
  { feeds }: { readonly feeds: readonly number[] },
): Promise<readonly string[]> {
  const [row] = await readRows<{ readonly types: string[] }>(db)`
    select coalesce(array_agg(distinct type), '{}') as types from webhooks cross join lateral unnest(types) as type
    where min_finality <> 'finalized' and id % ${FEEDS}::integer = ${anyOf(feeds)}`;
  return row!.types;
}

/** Webhooks by their ids. */
export async function findWebhooks(db: Db, { ids }: { readonly ids: readonly string[] }): Promise<Webhook[]> {
  return (await webhooksWithKeys(db).where('webhooks.id', '=', anyOf(ids)).execute()).map(toWebhook);
}

/** A webhook by id. An id that is not a number is an unknown one. */
export async function findWebhook(db: Db, { id }: { readonly id: string }): Promise<Webhook | undefined> {
  return isId(id) ? (await findWebhooks(db, { ids: [id] }))[0] : undefined;
}

function isId(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

/** How many addresses may be watched. */
interface AddressLimits {
  /** By one webhook. */
  readonly perWebhook: number;
  /** By all webhooks of a holder together. */
  readonly inAll: number;
}

/** A change that would have exceeded a limit; nothing was changed. */
export class WebhookLimitError extends Error {
  readonly limit: 'webhooks' | keyof AddressLimits;
  /** What there would have been. */
  readonly count: number;

  constructor(limit: WebhookLimitError['limit'], count: number) {
    super(`Too many ${limit}: ${count}`);
    this.limit = limit;
    this.count = count;
  }
}

/** A webhook that was deleted meanwhile. */
export class WebhookGoneError extends Error {}

interface HolderChange {
  /** Undefined for the operator. */
  readonly holder: WebhookHolder | undefined;
  readonly limits: AddressLimits;
}

/** Stores a webhook with its addresses. Returns undefined while another change of its holder is in progress. */
export function insertWebhook(
  db: Db,
  {
    webhook,
    addresses,
    maxOfKey,
    holder,
    limits,
  }: HolderChange & {
    readonly webhook: Pick<
      Webhook,
      | 'keyId'
      | 'url'
      | 'secret'
      | 'types'
      | 'actionTypes'
      | 'includeAddressBook'
      | 'includeMetadata'
      | 'minFinality'
      | 'startCursor'
    >;
    readonly addresses: readonly Buffer[];
    readonly maxOfKey: number;
  },
): Promise<string | undefined> {
  const { keyId, startCursor } = webhook;
  return db.transaction().execute(async (trx) => {
    if (!(await lockHolder(trx, holder))) return undefined;
    if (keyId !== null) {
      const own = await trx.selectFrom('webhooks').select('id').where('key_id', '=', keyId).execute();
      if (own.length >= maxOfKey) throw new WebhookLimitError('webhooks', own.length + 1);
    }
    const { id } = await trx
      .insertInto('webhooks')
      .values({
        key_id: keyId,
        url: webhook.url,
        secret: webhook.secret,
        types: [...webhook.types],
        action_types: [...webhook.actionTypes],
        include_address_book: webhook.includeAddressBook,
        include_metadata: webhook.includeMetadata,
        min_finality: webhook.minFinality,
        start_cursor: startCursor,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const count = await addAddresses(trx, id, addresses);
    await setAddressCount(trx, { id, count, holder, limits });
    await sql`
      update webhook_feeds set cursor = coalesce(cursor, ${startCursor}),
        types = array(select unnest(types) union select unnest(${webhook.types}::text[]) order by 1)
      where number = ${feedOf(id)} and not (cursor is not null and types @> ${webhook.types}::text[])`.execute(
      trx,
    );
    return id;
  });
}

async function setAddressCount(
  db: Db,
  { id, count, holder, limits }: HolderChange & { readonly id: string; readonly count: number },
): Promise<void> {
  if (count > limits.perWebhook) throw new WebhookLimitError('perWebhook', count);
  if (holder !== undefined) {
    const [others] = await readRows<{ readonly count: number }>(db)`
      select coalesce(sum(addresses), 0)::integer as count from webhooks where ${isOfHolder(holder)} and id <> ${id}`;
    if (others!.count + count > limits.inAll) throw new WebhookLimitError('inAll', others!.count + count);
  }
  // Last, because whoever sends its events waits until it is over.
  const webhook = db.updateTable('webhooks').set({ addresses: count }).where('id', '=', id);
  const { numUpdatedRows } = await webhook.executeTakeFirst();
  if (numUpdatedRows === 0n) throw new WebhookGoneError();
}

/** Of one statement, so that many addresses take neither the event loop nor the database for long. */
const ADDRESSES_AT_ONCE = 1000;

/** Returns how many it had not. */
async function addAddresses(db: Db, id: string, addresses: readonly Buffer[]): Promise<number> {
  return inPieces(addresses, async (some) => {
    const { numAffectedRows } = await sql`insert into webhook_addresses (webhook_id, account)
      select ${id}::bigint, account from unnest(${some}::bytea[]) as one (account)
      on conflict do nothing`.execute(db);
    return numAffectedRows;
  });
}

function removeAddresses(db: Db, id: string, addresses: readonly Buffer[]): Promise<number> {
  return inPieces(addresses, async (some) => {
    const own = db.deleteFrom('webhook_addresses').where('webhook_id', '=', id);
    return (await own.where('account', '=', anyOf(some)).executeTakeFirst()).numDeletedRows;
  });
}

async function inPieces(
  addresses: readonly Buffer[],
  work: (some: Buffer[]) => Promise<bigint | undefined>,
): Promise<number> {
  let count = 0;
  for (let at = 0; at < addresses.length; at += ADDRESSES_AT_ONCE) {
    count += Number((await work(addresses.slice(at, at + ADDRESSES_AT_ONCE))) ?? 0n);
    if (isSliceOver()) await nextSlice();
  }
  return count;
}

/**
 * Adds and removes addresses; returns how many there are then. Returns undefined while another change of its holder is in
 * progress.
 */
export function changeAddresses(
  db: Db,
  {
    id,
    added,
    removed,
    holder,
    limits,
  }: HolderChange & {
    readonly id: string;
    readonly added: readonly Buffer[];
    readonly removed: readonly Buffer[];
  },
): Promise<number | undefined> {
  return db.transaction().execute(async (trx) => {
    if (!(await lockHolder(trx, holder))) return undefined;
    const own = trx.selectFrom('webhooks').select('addresses').where('id', '=', id);
    const webhook = await own.executeTakeFirst();
    if (webhook === undefined) throw new WebhookGoneError();
    const gone = await removeAddresses(trx, id, removed);
    const count = webhook.addresses - gone + (await addAddresses(trx, id, added));
    await setAddressCount(trx, { id, count, holder, limits });
    return count;
  });
}

/** A page of the addresses of a webhook, in the order of their bytes. */
export async function listAddresses(
  db: Db,
  {
    id,
    after = Buffer.alloc(0),
    limit,
  }: { readonly id: string; readonly after?: Buffer | undefined; readonly limit: number },
): Promise<Buffer[]> {
  const own = db.selectFrom('webhook_addresses').select('account').where('webhook_id', '=', id);
  const rows = await own.where('account', '>', after).orderBy('account').limit(limit).execute();
  return rows.map(({ account }) => account);
}

/** Removes a webhook; what waits for it is removed by `removeRemains`. False if there is none. */
export function deleteWebhook(db: Db, { id }: { readonly id: string }): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const number = feedOf(id);
    const feed = trx.selectFrom('webhook_feeds').select('number').where('number', '=', number);
    await feed.forUpdate().execute();
    const { numDeletedRows } = await trx.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await trx.insertInto('deleted_webhooks').values({ webhook_id: id }).execute();
    // Without webhooks it costs nothing; the next one begins where the index is then.
    await sql`update webhook_feeds set cursor = null, types = '{}' where number = ${number}
      and not exists (select from webhooks where id % ${FEEDS}::integer = ${number})`.execute(trx);
    return true;
  });
}

const REMAINS_AT_ONCE = 5000;

/** Removes a piece of what deleted webhooks have left; returns whether there may be more. */
export async function removeRemains(db: Db): Promise<boolean> {
  const [next] = await db.selectFrom('deleted_webhooks').select('webhook_id').limit(1).execute();
  if (next === undefined) return false;
  const { webhook_id: id } = next;
  for (const table of ['webhook_addresses', 'webhook_events', 'webhook_queues'] as const) {
    const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where webhook_id = ${id} limit ${REMAINS_AT_ONCE}::integer))`.execute(
      db,
    );
    if (numAffectedRows >= BigInt(REMAINS_AT_ONCE)) return true;
  }
  await db.deleteFrom('deleted_webhooks').where('webhook_id', '=', id).execute();
  return true;
}

/** Stops sending, or goes on with it; events are queued meanwhile. */
export async function pauseWebhook(
  db: Db,
  { id, isPaused }: { readonly id: string; readonly isPaused: boolean },
): Promise<void> {
  const paused_at = isPaused ? sql<Date>`coalesce(paused_at, now())` : null;
  await db.updateTable('webhooks').set({ paused_at }).where('id', '=', id).execute();
}

export async function setWebhookSecret(
  db: Db,
  { id, secret }: { readonly id: string; readonly secret: Buffer },
): Promise<void> {
  await db.updateTable('webhooks').set({ secret }).where('id', '=', id).execute();
}
