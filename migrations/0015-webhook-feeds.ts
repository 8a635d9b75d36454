import { type Kysely, sql } from 'kysely';

/**
 * Webhooks are fed together: what costs something is an event, not a webhook. Each belongs to one of sixteen feeds by its
 * id; a feed has a cursor that its webhooks share, and is processed by one process. A webhook for which too much waits is
 * fed by itself until it has caught up. When one of its addresses may be due is a column of a webhook, so that a sender
 * finds those with something to send.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db);
  await run(`
    create table webhook_feeds (
      number smallint primary key,
      -- Behind the seqnos whose events were queued; null before there is a webhook.
      cursor text,
      -- Of events that its webhooks want.
      types text[] not null default '{}',
      -- The process that queues its events, and until when.
      feeder text,
      feeder_until timestamptz
    )`);
  // Webhooks of a feed were at different places; whatever comes twice is left out by the place where each begins.
  await run(`
    insert into webhook_feeds (number, cursor, types)
    select number, places.cursor, coalesce(wanted.types, '{}') from generate_series(0, 15) as number
    left join lateral (
      select format('%s-0.%s-0.%s', greatest(min(place[1]::bigint) - 1, 0), greatest(min(place[2]::bigint) - 1, 0),
        max(place[3])) as cursor
      from webhooks
      cross join lateral regexp_match(webhooks.cursor, '^(\\d+)-\\d+\\.(\\d+)-\\d+\\.([0-9a-f]{8})') as place
      where id % 16 = number having count(place) > 0
    ) places on true
    left join lateral (
      select array_agg(distinct type) as types from webhooks cross join lateral unnest(types) as type
      where id % 16 = number
    ) wanted on true`);
  await run('create table webhook_feeders (id text primary key, until timestamptz not null)');
  // Their addresses and events are removed in pieces.
  await run('create table deleted_webhooks (webhook_id bigint primary key)');
  await run('alter table webhooks rename column cursor to start_cursor');
  await run('alter table webhooks drop column feeder, drop column feeder_until, drop column revision');
  await run(`
    alter table webhooks add column addresses integer not null default 0,
      -- Events that have not arrived yet and were not given up.
      add column waiting integer not null default 0,
      -- No address with events is due before; null if nothing waits.
      add column next_try timestamptz,
      -- Behind its last event that was queued, while it is fed by itself; null for the cursor of its feed.
      add column own_cursor text`);
  await run(`
    update webhooks set
      addresses = (select count(*) from webhook_addresses where webhook_id = id),
      waiting = (select count(*) from webhook_events where webhook_id = id and dead_at is null),
      next_try = (select min(next_try) from webhook_queues where webhook_id = id)`);
  await run(
    'create index webhooks_due on webhooks (next_try) where next_try is not null and paused_at is null',
  );
  await run('create index webhooks_behind on webhooks (id) where own_cursor is not null');
  await run('create index webhook_addresses_by_account on webhook_addresses (account, webhook_id)');
  await run('drop index webhook_events_age');
  await run(
    'create index webhook_events_age on webhook_events (webhook_id, created_at) where dead_at is null',
  );
}
