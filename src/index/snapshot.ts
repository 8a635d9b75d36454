import { type Kysely, type KyselyPlugin, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../db/tables/tables.ts';

/** How much of the chain is indexed, by all processes together. */
export interface IndexCoverage {
  /** The first masterchain seqno of the index. */
  readonly first: number;
  /** The newest indexed one; null if nothing is indexed. */
  readonly newest: number | null;
  /** Number of indexed seqnos. */
  readonly indexed: number;
}

/** The coverage as of a cluster: ranges that are written, and those that may not be committed on all workers yet. */
export interface ClusterCoverage {
  readonly first: number | null;
  /** First and last seqnos. */
  readonly written: readonly (readonly [number, number])[] | null;
  readonly announced: readonly (readonly [number, number])[] | null;
}

/** Reads the coverage of a cluster: one row. */
export const CLUSTER_COVERAGE = `select (select first_seqno from index_origin) as first,
  (select json_agg(json_build_array(first_seqno, done_seqno) order by first_seqno) from index_chunks
   where done_seqno >= first_seqno) as written,
  (select json_agg(json_build_array(first_seqno, last_seqno)) from announced_writes) as announced`;

/** The seqnos that all workers have committed, in ascending order. */
export function shownRanges({ written, announced }: ClusterCoverage): readonly ShownRange[] {
  let ranges: { first: number; last: number }[] = [];
  for (const [first, last] of written ?? []) {
    const before = ranges.at(-1);
    if (before?.last === first - 1) before.last = last;
    else ranges.push({ first, last });
  }
  for (const [from, to] of announced ?? [])
    ranges = ranges.flatMap((range) => {
      if (to < range.first || from > range.last) return [range];
      const parts = [
        { first: range.first, last: from - 1 },
        { first: to + 1, last: range.last },
      ];
      return parts.filter(({ first, last }) => first <= last);
    });
  return ranges;
}

/** The coverage of shown ranges. */
export function coverageOf(
  { first }: ClusterCoverage,
  ranges: readonly ShownRange[],
): IndexCoverage | undefined {
  if (first === null) return undefined;
  const indexed = ranges.reduce((sum, range) => sum + range.last - range.first + 1, 0);
  return { first, newest: ranges.at(-1)?.last ?? null, indexed };
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

/** Masterchain seqnos, both inclusive. */
export interface ShownRange {
  readonly first: number;
  readonly last: number;
}

/** Carries the seqnos that a read may show; it changes nothing. */
class ShownSeqnos implements KyselyPlugin {
  readonly ranges: readonly ShownRange[];

  constructor(ranges: readonly ShownRange[]) {
    this.ranges = ranges;
  }

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    return node;
  }

  async transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return result;
  }
}

/** Lets the queries of a read show only some seqnos: those that are written on all nodes of a cluster. */
export function withShownSeqnos(db: Kysely<Tables>, ranges: readonly ShownRange[]): Kysely<Tables> {
  return db.withPlugin(new ShownSeqnos(ranges));
}

/** The condition that a row may be shown, by its seqno; always true on a single server. */
export function isShown(db: Kysely<Tables>, seqno: RawBuilder<unknown>): RawBuilder<boolean> {
  const shown = db.getExecutor().plugins.find((plugin) => plugin instanceof ShownSeqnos);
  if (shown === undefined) return sql`true`;
  if (shown.ranges.length === 0) return sql`false`;
  const isIn = shown.ranges.map(({ first, last }) => sql`${seqno} between ${first} and ${last}`);
  return sql`(${sql.join(isIn, sql` or `)})`;
}
