import { type Kysely, sql } from 'kysely';
import { dropPartitionsBefore, PARTITIONED_TABLES } from '../db/partitions.ts';
import { UNPARTITIONED_TABLES } from '../db/queries/index-sizes.ts';
import type { Tables } from '../db/tables.ts';
import { StartError } from '../lib/errors.ts';
import { withChunkLock } from './chunks.ts';

/** What the index is of, and where it begins. */
export interface Origin {
  /** Root hash of the zero state of the masterchain: it names the network. */
  readonly zeroState: Buffer;
  readonly firstSeqno: number;
  /** Seqnos a partition. */
  readonly partitionSeqnos: number;
}

/**
 * Notes at the first start of what the index is; later ones may only move its beginning back. The index of another
 * network is refused. Gives what counts, also where the caller asked for something else.
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
    if (!row.zero_state.equals(wanted.zeroState)) throw refusal(row.zero_state, wanted.zeroState);
    const firstSeqno = Math.min(row.first_seqno, wanted.firstSeqno);
    if (firstSeqno < row.first_seqno)
      await trx.updateTable('index_origin').set({ first_seqno: firstSeqno }).execute();
    return { zeroState: row.zero_state, firstSeqno, partitionSeqnos: row.partition_seqnos };
  });
}

function refusal(kept: Buffer, wanted: Buffer): StartError {
  const name = (hash: Buffer) => hash.toString('base64');
  return new StartError(
    `The database has the index of another network (zero state ${name(kept)}, here ${name(wanted)}); ` +
      'use another DATABASE_URL, or DATA_DIR, for each network',
  );
}

/** Masterchain seqnos, both ends included. */
export interface SeqnoRange {
  readonly first: number;
  readonly last: number;
}

/** Which seqnos are in the index, ascending; ranges that touch are one. */
export async function indexedRanges(db: Kysely<Tables>): Promise<SeqnoRange[]> {
  const rows = await db
    .selectFrom('index_chunks')
    .select(['first_seqno', 'done_seqno'])
    .whereRef('done_seqno', '>=', 'first_seqno')
    .orderBy('first_seqno')
    .execute();
  const ranges: { first: number; last: number }[] = [];
  for (const { first_seqno: first, done_seqno: last } of rows) {
    const before = ranges.at(-1);
    if (before?.last === first - 1) before.last = last;
    else ranges.push({ first, last });
  }
  return ranges;
}

/** Which seqnos from `first` to `last` are in none of the ranges, ascending. */
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

const INDEX_TABLES = [...PARTITIONED_TABLES, ...UNPARTITIONED_TABLES, 'index_origin', 'index_chunks'];

/** Removes all of the index, in one transaction; the tables stay. */
export async function wipeIndex(db: Kysely<Tables>): Promise<void> {
  await withChunkLock(db, (trx) => sql.raw(`truncate ${INDEX_TABLES.join(', ')}`).execute(trx));
}
