import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** A stored API key; the key itself cannot be recovered. Times are unix seconds. */
export interface ApiKey {
  readonly id: string;
  readonly hash: Buffer;
  readonly name: string;
  readonly plan: string;
  readonly networks: readonly string[];
  readonly rps: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** Stores a new key and returns it as stored. */
export async function insertApiKey(
  db: Kysely<Tables>,
  key: {
    readonly hash: Buffer;
    readonly name: string;
    readonly plan: string;
    readonly networks: readonly string[];
    readonly rps: number;
  },
): Promise<ApiKey> {
  return toApiKey(await db.insertInto('api_keys').values(key).returningAll().executeTakeFirstOrThrow());
}

/** Finds the key with this SHA-256, revoked or not. */
export async function findApiKeyByHash(
  db: Kysely<Tables>,
  { hash }: { readonly hash: Buffer },
): Promise<ApiKey | undefined> {
  const row = await db.selectFrom('api_keys').selectAll().where('hash', '=', hash).executeTakeFirst();
  return row && toApiKey(row);
}

/** Lists all keys, oldest first. */
export async function listApiKeys(db: Kysely<Tables>): Promise<ApiKey[]> {
  const rows = await db.selectFrom('api_keys').selectAll().orderBy('id').execute();
  return rows.map(toApiKey);
}

/** Revokes a key, keeping the time of the first revocation; undefined if there is no such key. */
export async function revokeApiKey(
  db: Kysely<Tables>,
  { id }: { readonly id: string },
): Promise<ApiKey | undefined> {
  // The id comes from the command line; a text that is not a bigint is an unknown id, not a database error.
  if (!/^\d{1,18}$/.test(id)) return undefined;
  const row = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toApiKey(row);
}

/** Stores when keys were last used, in one statement; a time older than the stored one is ignored. */
export async function touchApiKeys(
  db: Kysely<Tables>,
  { uses }: { readonly uses: readonly { readonly id: string; readonly usedAt: number }[] },
): Promise<void> {
  if (uses.length === 0) return;
  const ids = uses.map((use) => use.id);
  const times = uses.map((use) => use.usedAt);
  // Several processes update the same keys: rows are locked in a fixed order to avoid deadlocks.
  await sql`
    with used as (
      select id, to_timestamp(max(at)) as at
      from unnest(${ids}::bigint[], ${times}::float8[]) as one (id, at) group by id
    ), locked as (
      select api_keys.id, used.at from api_keys join used using (id)
      where last_used_at is null or last_used_at < used.at
      order by api_keys.id for update of api_keys
    )
    update api_keys set last_used_at = greatest(last_used_at, locked.at)
    from locked where api_keys.id = locked.id`.execute(db);
}

function toApiKey(row: Selectable<Tables['api_keys']>): ApiKey {
  return {
    id: row.id,
    hash: row.hash,
    name: row.name,
    plan: row.plan,
    networks: row.networks,
    rps: row.rps,
    createdAt: toUnixSeconds(row.created_at),
    lastUsedAt: row.last_used_at && toUnixSeconds(row.last_used_at),
    revokedAt: row.revoked_at && toUnixSeconds(row.revoked_at),
  };
}

function toUnixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
