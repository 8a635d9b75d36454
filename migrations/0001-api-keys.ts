import { type Kysely, sql } from 'kysely';

/** API keys, by their SHA-256. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table api_keys (
  id bigint generated always as identity primary key,
  hash bytea not null,
  name text not null,
  plan text not null,
  networks text[] not null default '{}',
  rps integer not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_keys_hash_key unique (hash),
  constraint api_keys_hash_is_sha256 check (octet_length(hash) = 32),
  constraint api_keys_rps_positive check (rps > 0)
)`)
    .execute(db);
}
