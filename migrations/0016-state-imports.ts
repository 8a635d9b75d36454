import { type Kysely, sql } from 'kysely';

/**
 * Complete states of shards that were imported from files, each at a masterchain block: how many accounts are written,
 * and the id of the last one, from which an interrupted import continues.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table state_imports (
  mc_seqno integer not null,
  workchain integer not null,
  shard bigint not null,
  hash bytea not null,
  last_account bytea,
  accounts bigint not null,
  finished_at timestamptz,
  primary key (mc_seqno, workchain, shard)
);
`)
    .execute(db);
}
