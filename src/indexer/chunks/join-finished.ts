import type { Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';

/** Makes one chunk of finished ones that follow each other, so that the table stays small. Under the chunk lock. */
export async function joinFinished(trx: Transaction<Tables>): Promise<void> {
  const chunks = await trx
    .selectFrom('index_chunks')
    .select(['first_seqno', 'last_seqno'])
    .whereRef('done_seqno', '=', 'last_seqno')
    .orderBy('first_seqno')
    .forUpdate()
    .skipLocked()
    .execute();
  for (let from = 0, to = 0; from < chunks.length; from = ++to) {
    while (chunks[to + 1]?.first_seqno === chunks[to]!.last_seqno! + 1) to++;
    if (to === from) continue;
    const last = chunks[to]!.last_seqno!;
    const first = chunks[from]!.first_seqno;
    await trx
      .deleteFrom('index_chunks')
      .where('first_seqno', '>', first)
      .where('first_seqno', '<=', last)
      .execute();
    await trx
      .updateTable('index_chunks')
      .set({ last_seqno: last, done_seqno: last, owner: null })
      .where('first_seqno', '=', first)
      .execute();
  }
}
