import { type RawBuilder, sql } from 'kysely';
import { WEBHOOK_LOCKS } from '../db/advisory-locks.ts';
import { anyOf, readRows } from '../db/driver.ts';
import type { Db } from '../db/tables/tables.ts';
import type { Payer } from '../lib/payer.ts';

/** Who webhooks are counted for: a key, or all keys of an owner if they share a plan. */
export interface WebhookHolder extends Payer {
  readonly plan: string;
}

/** Of a key; the owner is joined. It is the id of the payer that requests with the key have. */
export const HOLDER_ID = sql<string>`case when key_owners.rps is null then 'k:' || key_id else 'o:' || owner_id end`;
export const HOLDER_RPS = sql<number>`coalesce(key_owners.rps, api_keys.rps)`;

/** The holder of a key; undefined if there is no such key. */
export async function findHolder(db: Db, { keyId }: { readonly keyId: string }) {
  const rows = await readRows<WebhookHolder>(db)`
    select ${HOLDER_ID} as id, ${HOLDER_RPS} as rps, coalesce(key_owners.plan, api_keys.plan) as plan
    from (select ${keyId}::bigint as key_id) one join api_keys on api_keys.id = key_id
    left join key_owners on key_owners.id = owner_id`;
  return rows[0];
}

/** The holders of webhooks, by the ids of these; the operator is none. */
export async function findHolders(
  db: Db,
  { ids }: { readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, Payer>> {
  const rows = await readRows<Payer & { readonly webhookId: string }>(db)`
    select webhooks.id as "webhookId", ${HOLDER_ID} as id, ${HOLDER_RPS} as rps
    from webhooks join api_keys on api_keys.id = key_id left join key_owners on key_owners.id = owner_id
    where webhooks.id = ${anyOf(ids)}`;
  return new Map(rows.map(({ webhookId, id, rps }) => [webhookId, { id, rps }]));
}

/** Who shares the slots of the sender in turn: the owner of a key, or the key; empty for the operator. */
export const SLOT_OWNER = sql<string>`coalesce('o' || owner_id, 'k' || key_id, '')`;

/** Who the webhooks of a key share slots with. */
export async function findOwner(db: Db, { keyId }: { readonly keyId: string | null }): Promise<string> {
  const rows = await readRows<{ readonly owner: string }>(db)`
    select ${SLOT_OWNER} as owner from (select ${keyId}::bigint as key_id) one left join api_keys on id = key_id`;
  return rows[0]!.owner;
}

const OPERATOR = 'operator';

/** A holder changes its addresses one at a time, so that they can be counted. Whoever waits should not hold a connection. */
export async function lockHolder(db: Db, holder: WebhookHolder | undefined): Promise<boolean> {
  const rows = await readRows<{ readonly isLocked: boolean }>(db)`
    select pg_try_advisory_xact_lock(${WEBHOOK_LOCKS}::integer, hashtext(${holder?.id ?? OPERATOR})) as "isLocked"`;
  return rows[0]!.isLocked;
}

/** Whether a webhook is counted for a holder. */
export function isOfHolder({ id }: WebhookHolder): RawBuilder<boolean> {
  const [kind, number] = id.split(':');
  return kind === 'o'
    ? sql`key_id in (select id from api_keys where owner_id = ${number})`
    : sql`key_id = ${number}`;
}
