import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { isFree, rightNow, withChunkLock } from './chunk-lock.ts';
import type { Claim } from './claim.ts';

export interface HeadClaimOptions {
  readonly owner: string;
  /** The newest masterchain seqno. */
  readonly head: number;
  /** How long an owner may be silent before it counts as gone. */
  readonly leaseMs: number;
  /** The size of the chunks of backfill. */
  readonly chunkSeqnos: number;
}

/** Following takes a gap of up to so many chunks itself; what is longer is left to backfill. */
const GAP_CHUNKS = 2;

/**
 * Takes the chunk that grows with the chain: the one that is there, or one at the head when there is none or it ends
 * far behind. Undefined while another process has it.
 */
export function claimHead(db: Kysely<Tables>, options: HeadClaimOptions): Promise<Claim | undefined> {
  const { owner, head, leaseMs, chunkSeqnos } = options;
  const isFar = (doneSeqno: number) => head - doneSeqno > GAP_CHUNKS * chunkSeqnos;
  return withChunkLock(db, async (trx) => {
    if (!(await hasOpen(trx))) {
      const done = await lastDone(trx);
      return begin(trx, owner, isFar(done) ? head : done + 1);
    }
    // A row that is locked is being written, so its owner is alive after all.
    const open = await trx
      .selectFrom('index_chunks')
      .selectAll()
      .where('last_seqno', 'is', null)
      .where((eb) => eb.or([eb('owner', '=', owner), isFree(leaseMs)]))
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (open === undefined) return undefined;
    if (isFar(open.done_seqno)) {
      await close(trx, open.first_seqno, open.done_seqno);
      return begin(trx, owner, head);
    }
    await trx
      .updateTable('index_chunks')
      .set({ owner, beat: rightNow })
      .where('first_seqno', '=', open.first_seqno)
      .execute();
    return { firstSeqno: open.first_seqno, lastSeqno: undefined, doneSeqno: open.done_seqno, owner };
  });
}

async function hasOpen(trx: Transaction<Tables>): Promise<boolean> {
  const open = trx.selectFrom('index_chunks').select('first_seqno').where('last_seqno', 'is', null);
  return (await open.executeTakeFirst()) !== undefined;
}

/** The last seqno of all chunks, or the one before the index. */
async function lastDone(trx: Transaction<Tables>): Promise<number> {
  const origin = await trx.selectFrom('index_origin').select('first_seqno').executeTakeFirstOrThrow();
  const chunks = await trx
    .selectFrom('index_chunks')
    .select((eb) => eb.fn.max('last_seqno').as('last'))
    .executeTakeFirst();
  return Math.max(origin.first_seqno - 1, chunks?.last ?? 0);
}

async function begin(trx: Transaction<Tables>, owner: string, firstSeqno: number): Promise<Claim> {
  const doneSeqno = firstSeqno - 1;
  await trx
    .insertInto('index_chunks')
    .values({ first_seqno: firstSeqno, last_seqno: null, done_seqno: doneSeqno, owner, beat: rightNow })
    .execute();
  return { firstSeqno, lastSeqno: undefined, doneSeqno, owner };
}

/** Ends the chunk with what is written of it. */
async function close(trx: Transaction<Tables>, firstSeqno: number, doneSeqno: number): Promise<void> {
  if (doneSeqno < firstSeqno)
    await trx.deleteFrom('index_chunks').where('first_seqno', '=', firstSeqno).execute();
  else
    await trx
      .updateTable('index_chunks')
      .set({ last_seqno: doneSeqno, owner: null })
      .where('first_seqno', '=', firstSeqno)
      .execute();
}
