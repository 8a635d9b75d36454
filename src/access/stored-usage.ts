import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/tables/tables.ts';

/** How often something was called. */
export interface UsageCounts {
  readonly requests: number;
  /** Of the requests: above the rate, wrong (other 4xx), failed here (5xx). */
  readonly limited: number;
  readonly rejected: number;
  readonly failed: number;
}

/** The usage of a key, an operation and a day. */
export interface UsageRow extends UsageCounts {
  /** `0` for callers without a key. */
  readonly keyId: string;
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
  readonly interface: string;
  readonly operation: string;
}

/**
 * Adds the counts of a batch to the stored ones. A process numbers its batches: one that was written already is not added
 * again, so a batch can be repeated when nobody knows whether its transaction was committed.
 */
export async function addUsage(
  db: Db,
  {
    writer,
    batch,
    rows,
  }: { readonly writer: string; readonly batch: number; readonly rows: readonly UsageRow[] },
): Promise<void> {
  const column = (name: keyof UsageRow) => rows.map((row) => row[name]);
  // Several processes add to the same rows: they are locked in a fixed order to avoid deadlocks.
  await sql`
    with fresh as (
      insert into usage_writers (id, batch) values (${writer}, ${batch})
      on conflict (id) do update set batch = excluded.batch, written_at = now()
      where usage_writers.batch < excluded.batch
      returning id
    )
    insert into key_usage (key_id, day, interface, operation, requests, limited, rejected, failed)
    select one.* from unnest(
      ${column('keyId')}::bigint[], ${column('day')}::date[], ${column('interface')}::text[],
      ${column('operation')}::text[], ${column('requests')}::bigint[], ${column('limited')}::bigint[],
      ${column('rejected')}::bigint[], ${column('failed')}::bigint[]
    ) as one (key_id, day, interface, operation, requests, limited, rejected, failed)
    where exists (select from fresh)
    order by 1, 2, 3, 4
    on conflict (key_id, day, interface, operation) do update set
      requests = key_usage.requests + excluded.requests,
      limited = key_usage.limited + excluded.limited,
      rejected = key_usage.rejected + excluded.rejected,
      failed = key_usage.failed + excluded.failed`.execute(db);
}

/** A process that has not written for so long does not repeat a batch. */
const WRITER_DAYS = 7;

/** Forgets the usage of days before a day, and processes that are gone. */
export async function dropUsage(db: Db, { before }: { readonly before: string }): Promise<void> {
  await sql`delete from key_usage where day < ${before}::date`.execute(db);
  await sql`delete from usage_writers where written_at < now() - make_interval(days => ${WRITER_DAYS})`.execute(
    db,
  );
}

/** The interface of what is counted beside calls: events of streams and requests to webhooks. */
export const EVENTS = 'events';

/** The dimensions of usage sums. */
export type UsageGroup = 'owner' | 'key' | 'operation' | 'day';

/** A sum of usage; members that it was not summed up by are null, as are the owner and the key of those without one. */
export interface UsageSum extends UsageCounts {
  readonly ownerId: string | null;
  readonly owner: string | null;
  readonly keyId: string | null;
  readonly key: string | null;
  readonly interface: string | null;
  readonly operation: string | null;
  readonly day: string | null;
}

export interface UsageQuery {
  /** First and last day. */
  readonly from: string;
  readonly to: string;
  readonly by: readonly UsageGroup[];
  readonly keyId?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly interface?: string | undefined;
  readonly operation?: string | undefined;
  readonly limit: number;
}

const COLUMNS: Readonly<Record<UsageGroup, Readonly<Record<string, RawBuilder<unknown>>>>> = {
  owner: { ownerId: sql`api_keys.owner_id`, owner: sql`key_owners.name` },
  key: { keyId: sql`nullif(key_usage.key_id, 0)`, key: sql`api_keys.name` },
  operation: { interface: sql`key_usage.interface`, operation: sql`key_usage.operation` },
  day: { day: sql`key_usage.day` },
};

/** Sums of usage; by day first, then the largest. Those of several operations are of calls alone. */
export async function readUsage(db: Db, query: UsageQuery): Promise<UsageSum[]> {
  const groups = Object.entries(COLUMNS).flatMap(([group, columns]) =>
    query.by.includes(group as UsageGroup) ? Object.values(columns) : [],
  );
  const selected = Object.entries(COLUMNS).flatMap(([group, columns]) =>
    Object.entries(columns).map(([name, column]) =>
      query.by.includes(group as UsageGroup)
        ? sql`(${column})::text as ${sql.ref(name)}`
        : sql`null as ${sql.ref(name)}`,
    ),
  );
  const isOfSeveral =
    !query.by.includes('operation') && query.interface === undefined && query.operation === undefined;
  const conditions = [
    ...(isOfSeveral ? [sql`key_usage.interface <> ${EVENTS}`] : []),
    sql`key_usage.day between ${query.from}::date and ${query.to}::date`,
    ...(query.keyId === undefined ? [] : [sql`key_usage.key_id = ${query.keyId}`]),
    ...(query.ownerId === undefined ? [] : [sql`api_keys.owner_id = ${query.ownerId}`]),
    ...(query.interface === undefined ? [] : [sql`key_usage.interface = ${query.interface}`]),
    ...(query.operation === undefined ? [] : [sql`key_usage.operation = ${query.operation}`]),
  ];
  const sums = ['requests', 'limited', 'rejected', 'failed'].map(
    (name) => sql`coalesce(sum(key_usage.${sql.ref(name)}), 0)::float8 as ${sql.ref(name)}`,
  );
  const { rows } = await sql<UsageSum>`
    select ${sql.join([...selected, ...sums])}
    from key_usage
    left join api_keys on api_keys.id = key_usage.key_id
    left join key_owners on key_owners.id = api_keys.owner_id
    where ${sql.join(conditions, sql` and `)}
    ${groups.length === 0 ? sql`` : sql`group by ${sql.join(groups)}`}
    order by ${query.by.includes('day') ? sql`key_usage.day, ` : sql``}sum(key_usage.requests) desc nulls last
    limit ${query.limit}`.execute(db);
  return rows;
}
