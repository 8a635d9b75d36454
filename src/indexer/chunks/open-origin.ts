import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { StartError } from '../../lib/start-error.ts';
import { withChunkLock } from './chunk-lock.ts';

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
