import { type Kysely, sql } from 'kysely';
import type { Tables } from '../db/tables/tables.ts';
import { isRowId, toUnixSeconds } from './stored-keys.ts';

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
export async function listOwners(db: Kysely<Tables>): Promise<KeyOwner[]> {
  return (await owners(db).orderBy('name').execute()).map(toOwner);
}

/** Finds an owner by its id, or by its name. */
export async function findOwner(
  db: Kysely<Tables>,
  key: { readonly id: string } | { readonly name: string },
): Promise<KeyOwner | undefined> {
  if ('id' in key && !isRowId(key.id)) return undefined;
  const query = 'id' in key ? owners(db).where('id', '=', key.id) : owners(db).where('name', '=', key.name);
  const row = await query.executeTakeFirst();
  return row && toOwner(row);
}

/** The owner of that name, who is created if there is none. */
export async function ensureOwner(
  db: Kysely<Tables>,
  { name }: { readonly name: string },
): Promise<KeyOwner> {
  const found = await findOwner(db, { name });
  if (found !== undefined) return found;
  await db
    .insertInto('key_owners')
    .values({ name, plan: null, rps: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await findOwner(db, { name }))!;
}

/** Sets what all keys of an owner share; null gives each key its own rate again. */
export async function shareOwnerPlan(
  db: Kysely<Tables>,
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

function owners(db: Kysely<Tables>) {
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
  const shared = plan === null || rps === null ? null : { plan, rps };
  return { id, name, shared, createdAt: toUnixSeconds(created_at), keys };
}
