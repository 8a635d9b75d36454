import { type RawBuilder, type Selectable, sql } from 'kysely';
import { KEPT_PLAN } from '../../db/client.ts';
import { readRows } from '../../db/driver.ts';
import type { BlocksTable, Db } from '../../db/tables/tables.ts';
import { isShown, readMasterchainBlock } from '../snapshot.ts';
import { type BlockKeys, isNearBlock } from './hash-places.ts';
import { allOf, areEqual, type ListWindow, type OrderKey, sliceParts } from './lists.ts';
import { inSpan, intersect, readBoundsOfTime, type Span } from './time-bounds.ts';

export type BlockRow = Selectable<BlocksTable>;

type ListedBlock = BlockRow & { readonly cursor: readonly string[] };

export interface BlockFilters extends BlockKeys {
  readonly mcSeqno?: number | undefined;
  /** Of `gen_utime` and `start_lt`. */
  readonly span?: Span;
}

/** The order of lists of blocks; that of workchains may be the opposite. */
export function blockOrder(
  direction: 'asc' | 'desc',
  { workchains = direction }: { readonly workchains?: 'asc' | 'desc' } = {},
): readonly OrderKey[] {
  return [
    { by: sql`gen_utime`, type: 'bigint', direction },
    { by: sql`workchain`, type: 'integer', direction: workchains },
    { by: sql`shard`, type: 'bigint', direction },
    { by: sql`seqno`, type: 'integer', direction },
  ];
}

export async function readBlocks(
  db: Db,
  {
    filters,
    keys,
    page,
  }: { readonly filters: BlockFilters; readonly keys: readonly OrderKey[]; readonly page: ListWindow },
): Promise<ListedBlock[]> {
  const { workchain, shard, seqno, rootHash, fileHash, mcSeqno, span = {} } = filters;
  const isLookup = [seqno, rootHash, fileHash, mcSeqno].some((filter) => filter !== undefined);
  if (workchain !== undefined && !isLookup && !(await readWorkchains(db)).includes(workchain)) return [];
  const near = mcSeqno === undefined ? await isNearBlock(db, filters) : [];
  if (near === undefined) return [];
  // The list is in the order of time, so bounds of lt are turned into bounds of time.
  const reach = isLookup ? span : intersect(span, await readBoundsOfTime(db, span));
  const { where, tail, cursor } = sliceParts(keys, page);
  const conditions = [
    where,
    isShown(db, sql`mc_seqno`),
    inSpan(reach, sql`gen_utime`, sql`start_lt`),
    ...areEqual({ workchain, shard, seqno }),
    ...(rootHash === undefined ? [] : [isHash(sql`root_hash`, rootHash)]),
    ...(fileHash === undefined ? [] : [isHash(sql`file_hash`, fileHash)]),
    ...(mcSeqno === undefined ? near : [sql`mc_seqno = ${mcSeqno}`]),
  ];
  const found = sql`select * from blocks where ${allOf(conditions)}`;
  // The plan of a look-up does not depend on its values; with the fence it is never that of a list.
  const source = isSimpleLookup(filters, page)
    ? sql`${KEPT_PLAN} with found as materialized (${found}) select *, ${cursor} as cursor from found`
    : sql`select *, ${cursor} as cursor from (${found}) found`;
  return readRows<ListedBlock>(db)`${source} ${tail}`;
}

/** Whether blocks are looked up by one key, as most clients do. There must only be few kept plans. */
function isSimpleLookup({ span, ...values }: BlockFilters, { after }: ListWindow): boolean {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const hasSpan = Object.values(span ?? {}).some((bound) => bound !== undefined);
  return after === undefined && !hasSpan && LOOKUP_KEYS.has(given.sort().join());
}

const LOOKUP_KEYS: ReadonlySet<string> = new Set([
  'seqno,shard,workchain',
  'rootHash',
  'fileHash',
  'mcSeqno',
]);

/** The condition that a hash is another one: the index has its first bytes. */
function isHash(column: RawBuilder<unknown>, hash: Buffer): RawBuilder<unknown> {
  return sql`substring(${column}, 1, 8) = ${hash.subarray(0, 8)} and ${column} = ${hash}`;
}

/** Reads the first and the last masterchain block of the index; undefined if it is empty. */
export async function readMasterchainEnds(db: Db) {
  const rows = await readRows<BlockRow>(db)`${KEPT_PLAN}
    (select * from blocks where workchain = -1 and ${isShown(db, sql`mc_seqno`)} order by mc_seqno limit 1) union all
    (select * from blocks where workchain = -1 and ${isShown(db, sql`mc_seqno`)} order by mc_seqno desc limit 1) order by mc_seqno`;
  const [first, last] = rows;
  return first && last && { first, last };
}

/** Whether a masterchain block, with everything it committed, is in the index. */
export async function hasMasterchainBlock(db: Db, { seqno }: { readonly seqno: number }) {
  return (await readMasterchainBlock(db, seqno)) !== undefined;
}

/** Reads the newest block of every shard as of a masterchain block, including itself, as far as the index goes back. */
export async function readShardTops(db: Db, { seqno }: { readonly seqno: number }) {
  return readRows<BlockRow>(db)`
    with top as materialized (
      select unnest(workchains) as workchain, unnest(shards) as shard, unnest(seqnos) as seqno
      from shard_states where mc_seqno = ${seqno} and ${isShown(db, sql`mc_seqno`)}
    )
    select blocks.* from top
    join blocks on blocks.workchain = top.workchain and blocks.shard = top.shard and blocks.seqno = top.seqno
    where blocks.mc_seqno <= ${seqno} order by blocks.workchain, blocks.shard, blocks.seqno`;
}

/** Reads the workchains of the newest indexed state. A search for blocks of an unknown one would scan everything. */
export async function readWorkchains(db: Db): Promise<readonly number[]> {
  const states = db.selectFrom('shard_states').select('workchains').orderBy('mc_seqno', 'desc').limit(1);
  return (await states.executeTakeFirst())?.workchains ?? [];
}
