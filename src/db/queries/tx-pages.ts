import { type Kysely, sql } from 'kysely';
import { KEPT_PLAN } from '../client.ts';
import type { Tables } from '../tables.ts';

/** A page of transactions as it is stored. */
export interface StoredPage {
  readonly page: number;
  /** The trace ids of its transactions. */
  readonly traces: Buffer;
  readonly body: Buffer;
}

/** Reads pages by number, in no particular order; those that were dropped are left out. */
export async function readPages(
  db: Kysely<Tables>,
  { pages }: { readonly pages: readonly number[] },
): Promise<StoredPage[]> {
  if (pages.length === 0) return [];
  // The planner prunes partitions only by values that it knows in advance.
  const isNear = sql`page between ${Math.min(...pages)} and ${Math.max(...pages)}`;
  const { rows } = await sql<Omit<StoredPage, 'page'> & { readonly page: string }>`${KEPT_PLAN}
    select page, traces, body from tx_pages where page = any(${pages}::bigint[]) and ${isNear}`.execute(db);
  return rows.map((row) => ({ ...row, page: Number(row.page) }));
}
