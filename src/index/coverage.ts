import { sql } from 'kysely';
import { publicNetworkOf } from '../chain/public-networks.ts';
import { readRows } from '../db/driver.ts';
import type { Db } from '../db/tables/tables.ts';
import { StartError } from '../lib/errors.ts';
import { withChunkLock } from './chunks.ts';
import { dropPartitionsBefore, PARTITIONED_TABLES } from './partitions.ts';
import { UNPARTITIONED_TABLES } from './sizes.ts';
import { joinRanges, type SeqnoRange } from './snapshot.ts';

/** The network of the index, and where the index starts. */
export interface Origin {
  /** Root hash of the masterchain zero state: it identifies the network. */
  readonly zeroState: Buffer;
  readonly firstSeqno: number;
  readonly partitionSeqnos: number;
}

/**
 * Stores the origin at the first start; later starts may only move the first seqno back. Throws StartError for the index
 * of another network. Returns the effective origin, which may differ from the wanted one.
 */
export function openOrigin(db: Db, wanted: Origin): Promise<Origin> {
  return withChunkLock(db, async (trx) => {
    const row = await trx.selectFrom('index_origin').selectAll().executeTakeFirst();
    if (row === undefined) {
      const { zeroState, firstSeqno, partitionSeqnos } = wanted;
      await trx
        .insertInto('index_origin')
        .values({ zero_state: zeroState, first_seqno: firstSeqno, partition_seqnos: partitionSeqnos })
        .execute();
      return wanted;
    }
    if (!row.zero_state.equals(wanted.zeroState)) throw otherNetwork(row.zero_state, wanted.zeroState);
    const firstSeqno = Math.min(row.first_seqno, wanted.firstSeqno);
    if (firstSeqno < row.first_seqno)
      await trx.updateTable('index_origin').set({ first_seqno: firstSeqno }).execute();
    return { zeroState: row.zero_state, firstSeqno, partitionSeqnos: row.partition_seqnos };
  });
}

interface Network {
  /** Value of NETWORK. */
  readonly network: string;
  readonly zeroState: Buffer;
}

/** Throws StartError if the database holds the index of another network. That of a local chain may be replaced. */
export async function checkIndexNetwork(db: Db, { network, zeroState }: Network): Promise<void> {
  const row = await db.selectFrom('index_origin').select('zero_state').executeTakeFirst();
  if (row === undefined || row.zero_state.equals(zeroState)) return;
  if (network !== 'localnet') throw otherNetwork(row.zero_state, zeroState);
  // The index of a public network must never be mistaken for one of a local chain and emptied.
  const kept = publicNetworkOf(row.zero_state);
  if (kept === undefined) return;
  throw new StartError(
    `The database holds the index of ${kept}, but NETWORK is ${network}; ` +
      'use a separate DATABASE_URL or DATA_DIR for each network',
  );
}

function otherNetwork(kept: Buffer, wanted: Buffer): StartError {
  const name = (hash: Buffer) => hash.toString('base64');
  return new StartError(
    `The database holds the index of another network (its zero state is ${name(kept)}, this network's is ${name(wanted)}); ` +
      'use a separate DATABASE_URL or DATA_DIR for each network',
  );
}

/** The coverage of the index in ascending order; adjacent ranges are merged. */
export async function indexedRanges(db: Db): Promise<SeqnoRange[]> {
  const ranges = await db
    .selectFrom('index_chunks')
    .select(['first_seqno as first', 'done_seqno as last'])
    .whereRef('done_seqno', '>=', 'first_seqno')
    .orderBy('first_seqno')
    .execute();
  return joinRanges(ranges);
}

/** The seqnos from `first` to `last` that no range contains, ascending. */
export function gapsBetween(ranges: readonly SeqnoRange[], { first, last }: SeqnoRange): SeqnoRange[] {
  const gaps: SeqnoRange[] = [];
  let next = first;
  for (const range of ranges) {
    if (range.first > last) break;
    if (range.first > next) gaps.push({ first: next, last: range.first - 1 });
    next = Math.max(next, range.last + 1);
  }
  if (next <= last) gaps.push({ first: next, last });
  return gaps;
}

interface DropOptions {
  readonly keepSeconds: number;
  readonly nowSeconds: number;
}

/**
 * Drops partitions older than the retention; returns the first remaining seqno, or undefined while no block is too old.
 * The cut is at the newest block that is too old, not at the oldest one to keep: history is indexed backwards, and blocks
 * that are not indexed yet may have to be kept too.
 */
export async function dropHistory(db: Db, { keepSeconds, nowSeconds }: DropOptions) {
  const origin = await db.selectFrom('index_origin').select('partition_seqnos').executeTakeFirst();
  const cutoff = Math.floor(nowSeconds - keepSeconds);
  const rows = await readRows<{ mc_seqno: number }>(db)`
    select mc_seqno from blocks where workchain = -1 and gen_utime < ${cutoff}
    order by gen_utime desc, workchain desc, shard desc, seqno desc limit 1`;
  const newestOld = rows[0]?.mc_seqno;
  if (origin === undefined || newestOld === undefined) return undefined;
  return dropPartitionsBefore(db, { seqno: newestOld + 1, width: origin.partition_seqnos });
}

/** Mainnet makes this many masterchain blocks per second. */
const SEQNOS_PER_SECOND = 2.5;
/**
 * The widest partition: 40 months of mainnet. A look-up that does not know the seqno asks every partition, which takes
 * 15 to 50 µs each, so there must be few of them however long history gets.
 */
const MAX_PARTITION_SEQNOS = 2 ** 28;
/** The narrowest one, seven hours: each partition is a dozen tables. */
const MIN_PARTITION_SEQNOS = 2 ** 16;
/** Where history is dropped, it lies in this many partitions at least, so that little more is kept than wanted. */
const KEPT_PARTITIONS = 8;

/** How many seqnos a partition of a new index holds, by how many seconds of history are kept. */
export function partitionSeqnosFor(keepSeconds: number | 'all'): number {
  if (keepSeconds === 'all') return MAX_PARTITION_SEQNOS;
  const wanted = (keepSeconds * SEQNOS_PER_SECOND) / KEPT_PARTITIONS;
  const width = 2 ** Math.floor(Math.log2(wanted));
  return Math.min(Math.max(width, MIN_PARTITION_SEQNOS), MAX_PARTITION_SEQNOS);
}

/** What writers of the index need to know about it. */
export interface IndexLayout {
  readonly width: number;
  /** Changes whenever indexed blocks are taken back. */
  readonly historyId: string;
}

/** Reads the layout of the index; undefined while it has no origin. */
export async function readIndexLayout(connection: {
  query(text: string): Promise<{ readonly rows: readonly IndexLayout[] }>;
}): Promise<IndexLayout | undefined> {
  const { rows } = await connection.query(
    'select partition_seqnos as width, history_id as "historyId" from index_origin',
  );
  return rows[0];
}

export async function hasOrigin(db: Db): Promise<boolean> {
  return (await db.selectFrom('index_origin').select('first_seqno').executeTakeFirst()) !== undefined;
}

const INDEX_TABLES = [
  ...PARTITIONED_TABLES,
  ...UNPARTITIONED_TABLES,
  'index_origin',
  'index_chunks',
  'announced_writes',
];

/** Empties all tables of the index in one transaction. */
export async function wipeIndex(db: Db): Promise<void> {
  await withChunkLock(db, (trx) => sql.raw(`truncate ${INDEX_TABLES.join(', ')}`).execute(trx));
}
