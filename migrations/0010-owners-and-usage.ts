import { type Kysely, sql } from 'kysely';

/** Owners of API keys, and how much their keys are used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    create table key_owners (
      id bigint generated always as identity primary key,
      name text not null unique,
      -- Plan and rate that all keys of the owner share; null if each key has its own.
      plan text,
      rps integer,
      created_at timestamptz not null default now(),
      constraint key_owners_rps_positive check (rps > 0),
      constraint key_owners_share_is_whole check ((plan is null) = (rps is null))
    );
    alter table api_keys add column owner_id bigint references key_owners (id);
    create index api_keys_by_owner on api_keys (owner_id) where owner_id is not null;

    create table key_usage (
      -- 0 for callers without a key.
      key_id bigint not null,
      day date not null,
      interface text not null,
      operation text not null,
      requests bigint not null,
      -- Of the requests: above the rate, wrong, failed here.
      limited bigint not null,
      rejected bigint not null,
      failed bigint not null,
      primary key (key_id, day, interface, operation)
    );
    create index key_usage_by_day on key_usage (day);

    -- The last batch of every process: a batch that may have been written already is not added twice.
    create table usage_writers (
      id text primary key,
      batch bigint not null,
      written_at timestamptz not null default now()
    )`)
    .execute(db);
}
