import { type Kysely, sql } from 'kysely';
import { dropPartitionsBefore } from '../db/drop-partitions.ts';
import type { Tables } from '../db/tables.ts';

interface DropOptions {
  readonly keepSeconds: number;
  readonly nowSeconds: number;
}

/**
 * Drops the partitions that are older than what is to be kept; gives the first seqno that is left, or nothing while no
 * block is too old. The newest block that is too old counts, not the oldest young one: history is indexed backwards, and
 * what is not there yet may be young too.
 */
export async function dropHistory(
  db: Kysely<Tables>,
  { keepSeconds, nowSeconds }: DropOptions,
): Promise<number | undefined> {
  const origin = await db.selectFrom('index_origin').select('partition_seqnos').executeTakeFirst();
  const cutoff = Math.floor(nowSeconds - keepSeconds);
  const { rows } = await sql<{ mc_seqno: number }>`
    select mc_seqno from blocks where workchain = -1 and gen_utime < ${cutoff}
    order by gen_utime desc, workchain desc, shard desc, seqno desc limit 1`.execute(db);
  const newestOld = rows[0]?.mc_seqno;
  if (origin === undefined || newestOld === undefined) return undefined;
  return dropPartitionsBefore(db, { seqno: newestOld + 1, width: origin.partition_seqnos });
}

/** Whether there is an index already, and so a place where it begins. */
export async function hasOrigin(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom('index_origin').select('first_seqno').executeTakeFirst()) !== undefined;
}
