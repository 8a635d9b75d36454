import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWriter, type Writer } from '../../../src/index/write/writer.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { beginIndex, putChunk, rowsOf } from '../../ingest/support/index-tables.ts';
import { toySeqno } from '../../ingest/support/toy-chain.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';

let base: TestDatabase;
beforeAll(async () => {
  base = await createTestDatabase();
});
afterAll(() => base?.drop());

/** Writes seqnos 1 to 3 one by one and returns whether each commit waited for the disk. */
async function commitsOf(lastSeqno: number | undefined, isRepeatable: boolean): Promise<unknown[]> {
  const db = base.database.primary;
  const log = createQuietLog();
  const writer: Writer = createWriter({
    url: base.url,
    log,
    isRepeatable,
    metadata: createChainMetadataReader(),
  });
  try {
    await beginIndex(db, 1, 10);
    const claim = await putChunk(db, 1, lastSeqno);
    for (const text of [
      'drop table if exists commits',
      'create table commits (seqno integer, waits boolean)',
      `create or replace function note_commit() returns trigger language plpgsql as $$ begin
         insert into commits values (new.done_seqno, current_setting('synchronous_commit') = 'on'); return new; end $$`,
      'create or replace trigger note_commit after update on index_chunks for each row execute function note_commit()',
    ])
      await rowsOf(db, text);
    for (const seqno of [1, 2, 3])
      await writer.write(claim, { seqnos: [toySeqno(seqno, [])], latest: [], earlier: [] });
    return (await rowsOf(db, 'select waits from commits order by seqno')).map(({ waits }) => waits);
  } finally {
    await writer.close();
  }
}

it('waits for the disk at the end of a chunk only, where its blocks can be had again', async () => {
  expect(await commitsOf(3, true)).toEqual([false, false, true]);
});

it('waits for the disk on every commit of the head, and of other writers', async () => {
  expect(await commitsOf(undefined, true)).toEqual([true, true, true]);
  expect(await commitsOf(3, false)).toEqual([true, true, true]);
});
