import { sql } from 'kysely';
import type { Db } from '../db/tables/tables.ts';

/** A stored API key; the key itself cannot be recovered. Times are unix seconds. */
export interface ApiKey {
  readonly id: string;
  readonly hash: Buffer;
  readonly name: string;
  readonly plan: string;
  readonly networks: readonly string[];
  readonly rps: number;
  readonly owner: Pick<KeyOwner, 'id' | 'name' | 'shared'> | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** Stores a new key and returns it as stored. */
export async function insertApiKey(
  db: Db,
  {
    ownerId,
    ...key
  }: Pick<ApiKey, 'hash' | 'name' | 'plan' | 'networks' | 'rps'> & { readonly ownerId?: string | undefined },
): Promise<ApiKey> {
  const { id } = await db
    .insertInto('api_keys')
    .values({ ...key, owner_id: ownerId ?? null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return toApiKey(await keysWithOwners(db).where('api_keys.id', '=', id).executeTakeFirstOrThrow());
}

/** Finds the key with this SHA-256, revoked or not. */
export async function findApiKeyByHash(db: Db, { hash }: { readonly hash: Buffer }) {
  const row = await keysWithOwners(db).where('hash', '=', hash).executeTakeFirst();
  return row && toApiKey(row);
}

/** Finds a key by its id, revoked or not. An id that is not a number is an unknown one. */
export async function findApiKey(db: Db, { id }: { readonly id: string }) {
  if (!isRowId(id)) return undefined;
  const row = await keysWithOwners(db).where('api_keys.id', '=', id).executeTakeFirst();
  return row && toApiKey(row);
}

/** Lists all keys, or those of an owner, oldest first. */
export async function listApiKeys(
  db: Db,
  { ownerId }: { readonly ownerId?: string | undefined } = {},
): Promise<ApiKey[]> {
  const query = keysWithOwners(db).orderBy('api_keys.id');
  const rows = await (ownerId === undefined ? query : query.where('owner_id', '=', ownerId)).execute();
  return rows.map(toApiKey);
}

/** Revokes a key, keeping the time of the first revocation; undefined if there is no such key. */
export async function revokeApiKey(db: Db, { id }: { readonly id: string }) {
  // The id comes from the command line; a text that is not a bigint is an unknown id, not a database error.
  if (!isRowId(id)) return undefined;
  await db
    .updateTable('api_keys')
    .set({ revoked_at: sql`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .execute();
  return findApiKey(db, { id });
}

/** Revokes all keys of an owner; returns how many were valid until now. */
export async function revokeKeysOfOwner(db: Db, { ownerId }: { readonly ownerId: string }) {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Gives a key another plan and rate; undefined if there is no such key. */
export async function changeApiKeyPlan(
  db: Db,
  { id, plan, rps }: { readonly id: string; readonly plan: string; readonly rps: number },
): Promise<ApiKey | undefined> {
  if (!isRowId(id)) return undefined;
  await db.updateTable('api_keys').set({ plan, rps }).where('id', '=', id).execute();
  return findApiKey(db, { id });
}

/** Stores when keys were last used, in one statement; a time older than the stored one is ignored. */
export async function touchApiKeys(
  db: Db,
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

/** Whether a text can be the id of a row. */
export function isRowId(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

function keysWithOwners(db: Db) {
  return db
    .selectFrom('api_keys')
    .leftJoin('key_owners', 'key_owners.id', 'owner_id')
    .selectAll('api_keys')
    .select([
      'key_owners.name as owner_name',
      'key_owners.plan as owner_plan',
      'key_owners.rps as owner_rps',
    ]);
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof keysWithOwners>['executeTakeFirstOrThrow']>>;

function toApiKey(row: KeyRow): ApiKey {
  const { owner_id, owner_name, owner_plan: plan, owner_rps: rps } = row;
  return {
    id: row.id,
    hash: row.hash,
    name: row.name,
    plan: row.plan,
    networks: row.networks,
    rps: row.rps,
    owner: owner_id === null ? null : { id: owner_id, name: owner_name!, shared: sharedPlan(plan, rps) },
    createdAt: toUnixSeconds(row.created_at),
    lastUsedAt: row.last_used_at && toUnixSeconds(row.last_used_at),
    revokedAt: row.revoked_at && toUnixSeconds(row.revoked_at),
  };
}

/** An owner of API keys. */
export interface KeyOwner {
  readonly id: string;
  readonly name: string;
  /** The plan and the rate that all keys of the owner share; null if each key has its own. */
  readonly shared: SharedPlan | null;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Keys that are not revoked. */
  readonly keys: number;
}

/** A plan with its rate in requests per second. */
export interface SharedPlan {
  readonly plan: string;
  readonly rps: number;
}

/** Lists all owners by name. */
export async function listOwners(db: Db): Promise<KeyOwner[]> {
  return (await owners(db).orderBy('name').execute()).map(toOwner);
}

/** Finds an owner by its id, or by its name. */
export async function findOwner(
  db: Db,
  key: { readonly id: string } | { readonly name: string },
): Promise<KeyOwner | undefined> {
  if ('id' in key && !isRowId(key.id)) return undefined;
  const query = 'id' in key ? owners(db).where('id', '=', key.id) : owners(db).where('name', '=', key.name);
  const row = await query.executeTakeFirst();
  return row && toOwner(row);
}

/** The owner of that name, who is created if there is none. */
export async function ensureOwner(db: Db, { name }: { readonly name: string }) {
  const existing = await findOwner(db, { name });
  if (existing !== undefined) return existing;
  await db
    .insertInto('key_owners')
    .values({ name, plan: null, rps: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await findOwner(db, { name }))!;
}

/** Sets what all keys of an owner share; null gives each key its own rate again. */
export async function shareOwnerPlan(
  db: Db,
  { id, shared }: { readonly id: string; readonly shared: SharedPlan | null },
): Promise<KeyOwner | undefined> {
  if (!isRowId(id)) return undefined;
  await db
    .updateTable('key_owners')
    .set({ plan: shared?.plan ?? null, rps: shared?.rps ?? null })
    .where('id', '=', id)
    .execute();
  return findOwner(db, { id });
}

function owners(db: Db) {
  return db
    .selectFrom('key_owners')
    .selectAll()
    .select(
      sql<number>`(select count(*)::integer from api_keys
        where owner_id = key_owners.id and revoked_at is null)`.as('keys'),
    );
}

type OwnerRow = Awaited<ReturnType<ReturnType<typeof owners>['executeTakeFirstOrThrow']>>;

function toOwner({ id, name, plan, rps, created_at, keys }: OwnerRow): KeyOwner {
  return { id, name, shared: sharedPlan(plan, rps), createdAt: toUnixSeconds(created_at), keys };
}

function sharedPlan(plan: string | null, rps: number | null): SharedPlan | null {
  return plan === null || rps === null ? null : { plan, rps };
}

function toUnixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
