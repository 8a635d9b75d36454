import { type Kysely, sql } from 'kysely';

/**
 * Changes whenever indexed blocks are taken back, which only happens on local chains: whoever read the index before and
 * writes after it can tell that its facts are those of discarded blocks.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('alter table index_origin add column history_id uuid not null default gen_random_uuid()')
    .execute(db);
}
