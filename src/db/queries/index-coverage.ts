import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** How much of the chain is indexed, by all processes together. */
export interface IndexCoverage {
  /** The first masterchain seqno of the index. */
  readonly first: number;
  /** The newest indexed one; null if nothing is indexed. */
  readonly newest: number | null;
  /** Number of indexed seqnos. */
  readonly indexed: number;
}

/** Reads the coverage: one row, or none where there has never been an indexer. It can be part of a longer message. */
export const COVERAGE = `select origin.first_seqno as first, max(done_seqno) as newest,
  coalesce(sum(done_seqno - chunk.first_seqno + 1), 0)::integer as indexed
  from index_origin origin left join index_chunks chunk on done_seqno >= chunk.first_seqno
  group by origin.first_seqno`;

/** The coverage of the index; undefined where there has never been an indexer. */
export async function readIndexCoverage(db: Kysely<Tables>): Promise<IndexCoverage | undefined> {
  const { rows } = await sql.raw<IndexCoverage>(COVERAGE).execute(db);
  return rows[0];
}

/** When an indexed masterchain block was created, in unix seconds; undefined if it is not indexed. */
export async function readIndexedTime(
  db: Kysely<Tables>,
  { seqno }: { readonly seqno: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('blocks')
    .select('gen_utime')
    .where('mc_seqno', '=', seqno)
    .where('workchain', '=', -1)
    .executeTakeFirst();
  return row === undefined ? undefined : Number(row.gen_utime);
}
