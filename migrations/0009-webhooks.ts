import { type Kysely, sql } from 'kysely';

/**
 * Webhooks: who wants to be told what, and what they were not told yet. Events wait in the order in which they happened; all
 * events of an address are one queue, whose first event is sent until it arrives.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    create table webhooks (
      id bigint generated always as identity primary key,
      -- Null if the operator created it.
      key_id bigint,
      url text not null,
      secret bytea not null,
      types text[] not null,
      -- Empty for all.
      action_types text[] not null default '{}',
      include_address_book boolean not null,
      include_metadata boolean not null,
      -- Behind the last event that was queued.
      cursor text not null,
      -- Counts changes of what is wanted.
      revision integer not null default 0,
      paused_at timestamptz,
      created_at timestamptz not null default now(),
      -- The process that queues its events, and until when.
      feeder text,
      feeder_until timestamptz,
      delivered bigint not null default 0,
      failed bigint not null default 0,
      last_success_at timestamptz,
      last_failure_at timestamptz,
      last_failure text
    )`)
    .execute(db);
  await sql.raw('create index webhooks_by_key on webhooks (key_id)').execute(db);
  await sql
    .raw(`
    create table webhook_addresses (
      webhook_id bigint not null,
      account bytea not null,
      primary key (webhook_id, account)
    )`)
    .execute(db);
  await sql
    .raw(`
    create table webhook_events (
      number bigint generated always as identity,
      webhook_id bigint not null,
      account bytea not null,
      -- The same for the same event, however often it is sent.
      event_id text not null,
      body text not null,
      created_at timestamptz not null default now(),
      tries integer not null default 0,
      -- Set when it was given up.
      dead_at timestamptz,
      error text,
      primary key (webhook_id, event_id)
    )`)
    .execute(db);
  await sql
    .raw(
      'create index webhook_events_waiting on webhook_events (webhook_id, account, number) where dead_at is null',
    )
    .execute(db);
  await sql
    .raw('create index webhook_events_age on webhook_events (created_at) where dead_at is null')
    .execute(db);
  await sql
    .raw('create index webhook_events_dead on webhook_events (webhook_id, number) where dead_at is not null')
    .execute(db);
  await sql
    .raw(`
    create table webhook_queues (
      webhook_id bigint not null,
      account bytea not null,
      -- When the first event is sent next; in the future also while somebody sends it.
      next_try timestamptz not null default now(),
      primary key (webhook_id, account)
    )`)
    .execute(db);
  await sql.raw('create index webhook_queues_due on webhook_queues (webhook_id, next_try)').execute(db);
}
