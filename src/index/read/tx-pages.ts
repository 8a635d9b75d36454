import { type Kysely, type RawBuilder, sql } from 'kysely';
import { KEPT_PLAN } from '../../db/client.ts';
import { isCluster } from '../../db/cluster-dialect.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { pageNumber } from '../format/position.ts';

/** What may change of a page of transactions. */
export interface PageVersion {
  readonly page: number;
  /** The trace ids of its transactions. */
  readonly traces: Buffer;
  /** Of the index: changes whenever indexed blocks are taken back, and others may take their place. */
  readonly history: string;
}

/** A page of transactions as it is stored. */
export interface StoredPage extends PageVersion {
  readonly body: Buffer;
}

/** Reads pages by number, in no particular order; those that were dropped are left out. */
export async function readPages(
  db: Kysely<Tables>,
  { pages }: { readonly pages: readonly number[] },
): Promise<StoredPage[]> {
  return pages.length === 0 ? [] : selectPages<StoredPage>(db, pages, sql`page, traces, body`);
}

/** Reads what may have changed of pages. */
export async function readPageVersions(
  db: Kysely<Tables>,
  { pages }: { readonly pages: readonly number[] },
): Promise<PageVersion[]> {
  return pages.length === 0 ? [] : selectPages<PageVersion>(db, pages, sql`page, traces`);
}

/** The planner prunes partitions only by values that it knows in advance. */
function isOneOf(pages: readonly number[]): RawBuilder<boolean> {
  const isNear = sql`page between ${Math.min(...pages)} and ${Math.max(...pages)}`;
  return sql`page = any(${pages}::bigint[]) and ${isNear}`;
}

async function selectPages<T extends PageVersion>(
  db: Kysely<Tables>,
  pages: readonly number[],
  columns: RawBuilder<unknown>,
): Promise<T[]> {
  const { rows } = await sql<T>`${KEPT_PLAN}
    select ${columns}, (select history_id::text from index_origin) as history from tx_pages
    where ${isOneOf(pages)}`.execute(db);
  return rows.map((row) => ({ ...row, page: Number(row.page) }));
}

/** Reads the pages with the transactions of masterchain seqnos; a page may have those of neighbours too. */
export async function readPagesOfSeqnos(
  db: Kysely<Tables>,
  { seqnos }: { readonly seqnos: readonly number[] },
): Promise<StoredPage[]> {
  if (seqnos.length === 0) return [];
  if (isCluster(db)) {
    const found = (await Promise.all(runsOf(seqnos).map((run) => readPagesOfRun(db, run)))).flat();
    // A page may reach into several runs.
    return [...new Map(found.map((page) => [page.page, page])).values()].sort((a, b) => a.page - b.page);
  }
  const firsts = seqnos.map((seqno) => pageNumber(seqno, 0));
  const ends = seqnos.map((seqno) => pageNumber(seqno + 1, 0));
  // Only the last page that begins before a seqno can reach into it.
  const { rows } = await sql<StoredPage>`${KEPT_PLAN}
    select distinct on (found.page) found.page, found.traces, found.body,
           (select history_id::text from index_origin) as history
    from unnest(${seqnos}::int[], ${firsts}::bigint[], ${ends}::bigint[]) as asked (seqno, first, "end")
    cross join lateral (
      (select page, last_seqno, traces, body from tx_pages where page >= asked.first and page < asked."end")
      union all
      (select page, last_seqno, traces, body from tx_pages where page < asked.first order by page desc limit 1)
    ) found
    where found.last_seqno >= asked.seqno order by found.page`.execute(db);
  return rows.map((row) => ({ ...row, page: Number(row.page) }));
}

interface SeqnoRun {
  readonly first: number;
  readonly last: number;
}

/** Ascending seqnos as runs of neighbours. */
function runsOf(seqnos: readonly number[]): SeqnoRun[] {
  const runs: { first: number; last: number }[] = [];
  for (const seqno of [...seqnos].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && seqno <= run.last + 1) run.last = seqno;
    else runs.push({ first: seqno, last: seqno });
  }
  return runs;
}

/** The same on a cluster, where all workers are asked for the pages of some neighbours. */
async function readPagesOfRun(db: Kysely<Tables>, { first, last }: SeqnoRun): Promise<StoredPage[]> {
  const columns = sql`page, last_seqno, traces, body, (select history_id::text from index_origin) as history`;
  type Row = StoredPage & { readonly last_seqno: number };
  const begin = pageNumber(first, 0);
  const [inside, before] = await Promise.all([
    sql<Row>`select ${columns} from tx_pages where page >= ${begin}::bigint
      and page < ${pageNumber(last + 1, 0)}::bigint order by page`.execute(db),
    sql<Row>`select ${columns} from tx_pages where page < ${begin}::bigint order by page desc limit 1`.execute(
      db,
    ),
  ]);
  const reaching = before.rows.filter(({ last_seqno }) => last_seqno >= first);
  return [...reaching, ...inside.rows].map(({ last_seqno, ...row }) => ({ ...row, page: Number(row.page) }));
}
