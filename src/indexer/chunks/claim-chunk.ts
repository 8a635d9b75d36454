import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { isFree, rightNow, withChunkLock } from './chunk-lock.ts';
import type { Claim } from './claim.ts';
import { joinFinished } from './join-finished.ts';

export interface ChunkClaimOptions {
  readonly owner: string;
  /** Seqnos of a chunk, at most. */
  readonly chunkSeqnos: number;
  /** How long an owner may be silent before it counts as gone. */
  readonly leaseMs: number;
}

/**
 * Takes a piece of history: one that somebody began and left, or else the newest part of the newest gap below the chunk
 * that follows the head. Undefined when there is nothing to do, or no such chunk yet.
 */
export function claimChunk(db: Kysely<Tables>, options: ChunkClaimOptions): Promise<Claim | undefined> {
  return withChunkLock(db, async (trx) => {
    await joinFinished(trx);
    return (await takeOver(trx, options)) ?? (await cutGap(trx, options));
  });
}

async function takeOver(
  trx: Transaction<Tables>,
  { owner, leaseMs }: ChunkClaimOptions,
): Promise<Claim | undefined> {
  const left = await trx
    .selectFrom('index_chunks')
    .selectAll()
    .whereRef('done_seqno', '<', 'last_seqno')
    .where(isFree(leaseMs))
    .orderBy('first_seqno', 'desc')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (left === undefined) return undefined;
  await trx
    .updateTable('index_chunks')
    .set({ owner, beat: rightNow })
    .where('first_seqno', '=', left.first_seqno)
    .execute();
  return {
    firstSeqno: left.first_seqno,
    lastSeqno: left.last_seqno ?? undefined,
    doneSeqno: left.done_seqno,
    owner,
  };
}

async function cutGap(
  trx: Transaction<Tables>,
  { owner, chunkSeqnos }: ChunkClaimOptions,
): Promise<Claim | undefined> {
  const gap = await newestGap(trx);
  if (gap === undefined) return undefined;
  const firstSeqno = Math.max(gap.first, gap.last - chunkSeqnos + 1);
  await trx
    .insertInto('index_chunks')
    .values({
      first_seqno: firstSeqno,
      last_seqno: gap.last,
      done_seqno: firstSeqno - 1,
      owner,
      beat: rightNow,
    })
    .execute();
  return { firstSeqno, lastSeqno: gap.last, doneSeqno: firstSeqno - 1, owner };
}

/** Seqnos that no chunk has, the newest of them that are together. */
async function newestGap(trx: Transaction<Tables>): Promise<{ first: number; last: number } | undefined> {
  const origin = await trx.selectFrom('index_origin').select('first_seqno').executeTakeFirstOrThrow();
  const [open, ...chunks] = await trx
    .selectFrom('index_chunks')
    .select(['first_seqno', 'last_seqno'])
    .orderBy('first_seqno', 'desc')
    .execute();
  if (open === undefined || open.last_seqno !== null) return undefined;
  let last = open.first_seqno - 1;
  let before = chunks.shift();
  for (; before?.last_seqno === last; before = chunks.shift()) last = before.first_seqno - 1;
  const first = Math.max(origin.first_seqno, (before?.last_seqno ?? 0) + 1);
  return first > last ? undefined : { first, last };
}
