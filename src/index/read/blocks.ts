import { type RawBuilder, type Selectable, sql } from 'kysely';
import { KEPT_PLAN } from '../../db/client.ts';
import { isCluster, keptStatement, readRows } from '../../db/driver.ts';
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
  const { workchain, seqno, rootHash, fileHash, mcSeqno, span = {} } = filters;
  const isLookup = [seqno, rootHash, fileHash, mcSeqno].some((filter) => filter !== undefined);
  if (workchain !== undefined && !isLookup && !(await readWorkchains(db)).includes(workchain)) return [];
  const near = mcSeqno === undefined ? await isNearBlock(db, filters) : [];
  if (near === undefined) return [];
  // The list is in the order of time, so bounds of lt are turned into bounds of time.
  const reach = isLookup ? span : intersect(span, await readBoundsOfTime(db, span));
  const query = { filters, keys, page, near, reach };
  const names = givenNames(filters);
  if (!isSimpleLookup(names, query)) return readRows<ListedBlock>(db)`${selectBlocks(db, query)}`;
  if (isCluster(db)) return readRows<ListedBlock>(db)`${KEPT_PLAN} ${selectBlocks(db, query, true)}`;
  return lookUpBlocks(db, names, query);
}

interface BlocksQuery {
  readonly filters: BlockFilters;
  readonly keys: readonly OrderKey[];
  readonly page: ListWindow;
  readonly near: readonly RawBuilder<unknown>[];
  readonly reach: Span;
}

/** With the fence of a look-up the plan is never that of a list. */
function selectBlocks(db: Db, { filters, keys, page, near, reach }: BlocksQuery, isLookup = false) {
  const { workchain, shard, seqno, rootHash, fileHash, mcSeqno } = filters;
  const { where, tail, cursor } = sliceParts(keys, page);
  const conditions = [
    where,
    isShown(db, sql`mc_seqno`),
    inSpan(reach, sql`gen_utime`, sql`start_lt`),
    ...areEqual({ workchain, shard, seqno, mc_seqno: mcSeqno }),
    ...(rootHash === undefined ? [] : [isHash(sql`root_hash`, rootHash)]),
    ...(fileHash === undefined ? [] : [isHash(sql`file_hash`, fileHash)]),
    ...near,
  ];
  const found = sql`select * from blocks where ${allOf(conditions)}`;
  return isLookup
    ? sql`with found as materialized (${found}) select *, ${cursor} as cursor from found ${tail}`
    : sql`select *, ${cursor} as cursor from (${found}) found ${tail}`;
}

/** Names of the filters that are given, the span left aside. */
function givenNames({ span: _, ...filters }: BlockFilters): (keyof BlockKeys | 'mcSeqno')[] {
  const names = Object.keys(filters) as (keyof typeof filters)[];
  return names.filter((name) => filters[name] !== undefined).sort();
}

/** Whether blocks are looked up by one key, as most clients do. There must only be few kept plans. */
function isSimpleLookup(names: readonly string[], { filters: { span }, page: { after } }: BlocksQuery) {
  const hasSpan = Object.values(span ?? {}).some((bound) => bound !== undefined);
  return after === undefined && !hasSpan && LOOKUP_KEYS.has(names.join());
}

const LOOKUP_KEYS: ReadonlySet<string> = new Set([
  'seqno,shard,workchain',
  'rootHash',
  'fileHash',
  'mcSeqno',
]);

type BlockLookup = (db: Db, limit: number, offset: number, ...values: unknown[]) => Promise<ListedBlock[]>;

/** Statements by the names of their filters and the order of their rows. */
const blockLookups = new Map<string, BlockLookup>();

function lookUpBlocks(db: Db, names: ReturnType<typeof givenNames>, { filters, keys, page }: BlocksQuery) {
  const kind = `${names} ${keys.map(({ direction }) => direction)}`;
  let lookup = blockLookups.get(kind);
  if (lookup === undefined) {
    lookup = keptStatement((db, limit, offset, ...values) => {
      const wanted = Object.fromEntries(names.map((name, at) => [name, values[at]]));
      return selectBlocks(db, { filters: wanted, keys, page: { limit, offset }, near: [], reach: {} }, true);
    });
    blockLookups.set(kind, lookup);
  }
  return lookup(db, page.limit, page.offset, ...names.map((name) => filters[name]));
}

/** The condition that a hash is another one: the index has its first bytes. */
function isHash(column: RawBuilder<unknown>, hash: Buffer): RawBuilder<unknown> {
  return sql`substring(${column}, 1, 8) = substring(${hash}::bytea, 1, 8) and ${column} = ${hash}`;
}

const masterchainEnds = keptStatement<BlockRow, []>((db) => {
  const ofMasterchain = sql`select * from blocks where workchain = -1 and ${isShown(db, sql`mc_seqno`)}`;
  return sql`(${ofMasterchain} order by mc_seqno limit 1) union all (${ofMasterchain} order by mc_seqno desc limit 1)
    order by mc_seqno`;
});

/** Reads the first and the last masterchain block of the index; undefined if it is empty. */
export async function readMasterchainEnds(db: Db) {
  const [first, last] = await masterchainEnds(db);
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

const newestWorkchains = keptStatement<{ readonly workchains: readonly number[] }, []>(
  (db) => sql`${db.selectFrom('shard_states').select('workchains').orderBy('mc_seqno', 'desc').limit(1)}`,
);

/** Reads the workchains of the newest indexed state. A search for blocks of an unknown one would scan everything. */
export async function readWorkchains(db: Db): Promise<readonly number[]> {
  return (await newestWorkchains(db))[0]?.workchains ?? [];
}
