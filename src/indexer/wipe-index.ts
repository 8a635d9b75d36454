import { type Kysely, sql } from 'kysely';
import { PARTITIONED_TABLES } from '../db/partitions.ts';
import { UNPARTITIONED_TABLES } from '../db/queries/index-sizes.ts';
import type { Tables } from '../db/tables.ts';
import { withChunkLock } from './chunks/chunk-lock.ts';

const INDEX_TABLES = [...PARTITIONED_TABLES, ...UNPARTITIONED_TABLES, 'index_origin', 'index_chunks'];

/** Removes all of the index, in one transaction; the tables stay. */
export async function wipeIndex(db: Kysely<Tables>): Promise<void> {
  await withChunkLock(db, (trx) => sql.raw(`truncate ${INDEX_TABLES.join(', ')}`).execute(trx));
}
