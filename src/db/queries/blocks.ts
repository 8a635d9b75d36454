import { type Kysely, type Selectable, sql } from 'kysely';
import type { BlocksTable } from '../chain-tables.ts';
import type { Tables } from '../tables.ts';
import { type OrderKey, type Page, pageParts } from './page.ts';
import { readBoundsOfTime } from './shard-bounds.ts';
import { inSpan, intersect, type Span } from './span.ts';
import { isKnownWorkchain } from './workchains.ts';

/** A block as the index has it. */
export type BlockRow = Selectable<BlocksTable>;

/** A block on a page. */
export type ListedBlock = BlockRow & { readonly cursor: readonly string[] };

/** Which blocks are wanted. */
export interface BlockFilters {
  readonly workchain?: number | undefined;
  readonly shard?: bigint | undefined;
  readonly seqno?: number | undefined;
  readonly rootHash?: Buffer | undefined;
  readonly fileHash?: Buffer | undefined;
  readonly mcSeqno?: number | undefined;
  /** Of `gen_utime` and `start_lt`. */
  readonly span?: Span;
}

/** The order of lists of blocks. */
export function blockOrder(direction: 'asc' | 'desc'): readonly OrderKey[] {
  return [
    { by: sql`gen_utime`, type: 'bigint', direction },
    { by: sql`workchain`, type: 'integer', direction },
    { by: sql`shard`, type: 'bigint', direction },
    { by: sql`seqno`, type: 'integer', direction },
  ];
}

/** One page of the blocks wanted. */
export async function readBlocks(
  db: Kysely<Tables>,
  {
    filters,
    keys,
    page,
  }: { readonly filters: BlockFilters; readonly keys: readonly OrderKey[]; readonly page: Page },
): Promise<ListedBlock[]> {
  const { workchain, shard, seqno, rootHash, fileHash, mcSeqno, span = {} } = filters;
  if (workchain !== undefined && !(await isKnownWorkchain(db, { workchain }))) return [];
  const isLookUp = [seqno, rootHash, fileHash, mcSeqno].some((filter) => filter !== undefined);
  // The order is that of time, so it takes times to begin in the middle of it.
  const reach = isLookUp ? span : intersect(span, await readBoundsOfTime(db, span));
  const { where, tail, cursor } = pageParts(keys, page);
  const conditions = [
    where,
    inSpan(reach, sql`gen_utime`, sql`start_lt`),
    ...(workchain === undefined ? [] : [sql`workchain = ${workchain}`]),
    ...(shard === undefined ? [] : [sql`shard = ${shard}`]),
    ...(seqno === undefined ? [] : [sql`seqno = ${seqno}`]),
    ...(rootHash === undefined ? [] : [sql`root_hash = ${rootHash}`]),
    ...(fileHash === undefined ? [] : [sql`file_hash = ${fileHash}`]),
    ...(mcSeqno === undefined ? [] : [sql`mc_seqno = ${mcSeqno}`]),
  ];
  const { rows } = await sql<ListedBlock>`
    select *, ${cursor} as cursor from blocks where ${sql.join(conditions, sql` and `)} ${tail}`.execute(db);
  return rows;
}
