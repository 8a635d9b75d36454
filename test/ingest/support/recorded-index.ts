import { createFilledTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openReplayApp } from '../../v2/support/v2-app.ts';
import { isComplete, openTestIndexer, until, untilNothingIsMissing } from './test-indexer.ts';

const HEAD = 125;

/** A copy of a database with the index of the recorded network, including contracts and events. */
export function openRecordedIndex(): Promise<TestDatabase> {
  return createFilledTestDatabase({
    name: 'recorded',
    source: 'test/ingest/support/recorded-index.ts',
    fill: async (filling) => {
      const replay = await openReplayApp();
      const context = await openTestIndexer({ ...filling, drop: async () => {} });
      try {
        const detection = context.detection(replay.pool);
        const indexer = context.indexer(replay.pool, { detection, lanes: 2, chunkSeqnos: 9 });
        indexer.start();
        await until(indexer, isComplete(HEAD));
        await untilNothingIsMissing(context);
      } finally {
        await context.close();
        await replay.close();
      }
    },
  });
}
