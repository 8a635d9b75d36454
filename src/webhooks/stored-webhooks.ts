import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../db/tables/tables.ts';
import type { WebhooksTable } from '../db/tables/webhook-tables.ts';

/** A webhook as it is stored. Times are unix seconds; accounts have 33 bytes. */
export interface Webhook {
  readonly id: string;
  /** The API key of its owner; null if the operator created it. */
  readonly keyId: string | null;
  readonly url: string;
  readonly secret: Buffer;
  readonly types: readonly string[];
  /** Empty for all. */
  readonly actionTypes: readonly string[];
  readonly includeAddressBook: boolean;
  readonly includeMetadata: boolean;
  /** Behind the last event that was queued. */
  readonly cursor: string;
  /** Changes whenever what is wanted changes. */
  readonly revision: number;
  readonly pausedAt: number | null;
  readonly createdAt: number;
  readonly delivered: number;
  /** Attempts that failed. */
  readonly failed: number;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  readonly lastFailure: string | null;
}

function toWebhook(row: Selectable<WebhooksTable>): Webhook {
  return {
    id: row.id,
    keyId: row.key_id,
    url: row.url,
    secret: row.secret,
    types: row.types,
    actionTypes: row.action_types,
    includeAddressBook: row.include_address_book,
    includeMetadata: row.include_metadata,
    cursor: row.cursor,
    revision: row.revision,
    pausedAt: toUnixSeconds(row.paused_at),
    createdAt: toUnixSeconds(row.created_at)!,
    delivered: Number(row.delivered),
    failed: Number(row.failed),
    lastSuccessAt: toUnixSeconds(row.last_success_at),
    lastFailureAt: toUnixSeconds(row.last_failure_at),
    lastFailure: row.last_failure,
  };
}

function toUnixSeconds(time: Date | null): number | null {
  return time === null ? null : Math.floor(time.getTime() / 1000);
}

/** Stores a webhook with its addresses. Returns undefined if its owner has so many already. */
export async function insertWebhook(
  db: Kysely<Tables>,
  {
    webhook,
    addresses,
    maxOfKey,
  }: {
    readonly webhook: Pick<
      Webhook,
      | 'keyId'
      | 'url'
      | 'secret'
      | 'types'
      | 'actionTypes'
      | 'includeAddressBook'
      | 'includeMetadata'
      | 'cursor'
    >;
    readonly addresses: readonly Buffer[];
    readonly maxOfKey: number;
  },
): Promise<Webhook | undefined> {
  const { keyId, url, secret, types, actionTypes, includeAddressBook, includeMetadata, cursor } = webhook;
  return db.transaction().execute(async (trx) => {
    if (keyId !== null) {
      // Two requests at once would both find room.
      await sql`select from api_keys where id = ${keyId} for update`.execute(trx);
      const { rows } = await sql<{ readonly count: number }>`
        select count(*)::integer as count from webhooks where key_id = ${keyId}`.execute(trx);
      if (rows[0]!.count >= maxOfKey) return undefined;
    }
    const row = await trx
      .insertInto('webhooks')
      .values({
        key_id: keyId,
        url,
        secret,
        types: [...types],
        action_types: [...actionTypes],
        include_address_book: includeAddressBook,
        include_metadata: includeMetadata,
        cursor,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await insertAddresses(trx, row.id, addresses);
    return toWebhook(row);
  });
}

/** All webhooks, or those of a key, oldest first. */
export async function listWebhooks(
  db: Kysely<Tables>,
  { keyId }: { readonly keyId?: string | undefined } = {},
): Promise<Webhook[]> {
  const query = db.selectFrom('webhooks').selectAll().orderBy('id');
  const rows = await (keyId === undefined ? query : query.where('key_id', '=', keyId)).execute();
  return rows.map(toWebhook);
}

/** A webhook by id. An id that is not a number is an unknown one. */
export async function findWebhook(
  db: Kysely<Tables>,
  { id }: { readonly id: string },
): Promise<Webhook | undefined> {
  if (!isId(id)) return undefined;
  const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toWebhook(row);
}

function isId(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

/** Removes a webhook with everything that waits for it; false if there is none. */
export async function deleteWebhook(db: Kysely<Tables>, { id }: { readonly id: string }): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`delete from webhooks where id = ${id} returning id`.execute(trx);
    for (const table of ['webhook_addresses', 'webhook_events', 'webhook_queues'])
      await sql`delete from ${sql.table(table)} where webhook_id = ${id}`.execute(trx);
    return rows.length > 0;
  });
}

/** Stops sending, or goes on with it; events are queued meanwhile. */
export async function pauseWebhook(
  db: Kysely<Tables>,
  { id, isPaused }: { readonly id: string; readonly isPaused: boolean },
): Promise<void> {
  await sql`update webhooks set paused_at = ${isPaused ? sql`coalesce(paused_at, now())` : null}
    where id = ${id}`.execute(db);
}

/** Gives a webhook another secret. */
export async function setWebhookSecret(
  db: Kysely<Tables>,
  { id, secret }: { readonly id: string; readonly secret: Buffer },
): Promise<void> {
  await db.updateTable('webhooks').set({ secret }).where('id', '=', id).execute();
}

async function insertAddresses(db: Kysely<Tables>, id: string, addresses: readonly Buffer[]): Promise<void> {
  await sql`insert into webhook_addresses (webhook_id, account)
    select ${id}::bigint, account from unnest(${addresses}::bytea[]) as one (account)
    on conflict do nothing`.execute(db);
}

/** Adds and removes addresses; returns how many there are then, or undefined, with nothing changed, if they are too many. */
export async function changeAddresses(
  db: Kysely<Tables>,
  {
    id,
    added,
    removed,
    max,
  }: {
    readonly id: string;
    readonly added: readonly Buffer[];
    readonly removed: readonly Buffer[];
    readonly max: number;
  },
): Promise<number | undefined> {
  class TooMany extends Error {}
  try {
    return await db.transaction().execute(async (trx) => {
      // Also locks the webhook: of two changes at once, the second counts what the first has added.
      await sql`update webhooks set revision = revision + 1 where id = ${id}`.execute(trx);
      await sql`delete from webhook_addresses where webhook_id = ${id} and account = any(${removed}::bytea[])`.execute(
        trx,
      );
      await insertAddresses(trx, id, added);
      const count = await countAddresses(trx, id);
      if (count > max) throw new TooMany();
      return count;
    });
  } catch (error) {
    if (error instanceof TooMany) return undefined;
    throw error;
  }
}

async function countAddresses(db: Kysely<Tables>, id: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::integer as count from webhook_addresses where webhook_id = ${id}`.execute(db);
  return rows[0]!.count;
}

/** A page of the addresses of a webhook, in the order of their bytes; all of them without a limit. */
export async function listAddresses(
  db: Kysely<Tables>,
  {
    id,
    after,
    limit,
  }: { readonly id: string; readonly after?: Buffer | undefined; readonly limit?: number | undefined },
): Promise<Buffer[]> {
  const { rows } = await sql<{ readonly account: Buffer }>`
    select account from webhook_addresses
    where webhook_id = ${id} and account > ${after ?? Buffer.alloc(0)}
    order by account limit ${limit ?? null}`.execute(db);
  return rows.map(({ account }) => account);
}

/** The backlog of a webhook. */
export interface WebhookBacklog {
  readonly addresses: number;
  readonly waiting: number;
  readonly dead: number;
  /** When the oldest waiting event was queued, in unix seconds; null if none waits. */
  readonly oldestAt: number | null;
}

/** Counts what waits for a webhook. */
export async function readBacklog(
  db: Kysely<Tables>,
  { id }: { readonly id: string },
): Promise<WebhookBacklog> {
  const { rows } = await sql<WebhookBacklog>`
    select (select count(*)::integer from webhook_addresses where webhook_id = ${id}) as addresses,
      count(*) filter (where dead_at is null)::integer as waiting,
      count(*) filter (where dead_at is not null)::integer as dead,
      floor(extract(epoch from min(created_at) filter (where dead_at is null)))::integer as "oldestAt"
    from webhook_events where webhook_id = ${id}`.execute(db);
  return rows[0]!;
}
