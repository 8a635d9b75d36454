import { type Kysely, sql } from 'kysely';
import type { Tables } from '../db/tables/tables.ts';
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
  /** Seqnos per partition. */
  readonly partitionSeqnos: number;
}

/**
 * Stores the origin at the first start; later starts may only move the first seqno back. Throws StartError for the index
 * of another network. Returns the effective origin, which may differ from the wanted one.
 */
export function openOrigin(db: Kysely<Tables>, wanted: Origin): Promise<Origin> {
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

/** Zero states of the public networks, whose index must never be mistaken for one of a local chain and emptied. */
const PUBLIC_ZERO_STATES: Readonly<Record<string, string>> = {
  'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=': 'mainnet',
  'gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=': 'testnet',
};

interface Network {
  /** Value of NETWORK. */
  readonly network: string;
  readonly zeroState: Buffer;
}

/** Throws StartError if the database holds the index of another network. That of a local chain may be replaced. */
export async function checkIndexNetwork(db: Kysely<Tables>, { network, zeroState }: Network): Promise<void> {
  const row = await db.selectFrom('index_origin').select('zero_state').executeTakeFirst();
  if (row === undefined || row.zero_state.equals(zeroState)) return;
  const kept = PUBLIC_ZERO_STATES[row.zero_state.toString('base64')];
  if (network !== 'localnet') throw otherNetwork(row.zero_state, zeroState);
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
export async function indexedRanges(db: Kysely<Tables>): Promise<SeqnoRange[]> {
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
  /** Seqnos per partition. */
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

/** Whether the database has an index. */
export async function hasOrigin(db: Kysely<Tables>): Promise<boolean> {
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
export async function wipeIndex(db: Kysely<Tables>): Promise<void> {
  await withChunkLock(db, (trx) => sql.raw(`truncate ${INDEX_TABLES.join(', ')}`).execute(trx));
}
