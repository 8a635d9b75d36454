import { type Kysely, sql } from 'kysely';
import { isCluster } from '../db/cluster-dialect.ts';
import type { Tables } from '../db/tables/tables.ts';

/** Size of the whole database in bytes; on a cluster, of all its nodes. */
export async function readDatabaseBytes(db: Kysely<Tables>): Promise<number> {
  const size = sql`select pg_database_size(current_database())::float8 as bytes`;
  const ofAllNodes = sql`
    select sum(result::float8) as bytes
    from run_command_on_all_nodes('select pg_database_size(current_database())') where success`;
  const { rows } = await sql<{ readonly bytes: number }>`${isCluster(db) ? ofAllNodes : size}`.execute(db);
  return rows[0]!.bytes;
}
