import { createDatabase } from '../../../src/db/connection.ts';
import { findCluster } from '../../../src/index/cluster.ts';
import { createFilledTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { openReplayApp } from '../../v2/support/v2-app.ts';
import { isComplete, openTestIndexer, until, untilNothingIsMissing } from './test-indexer.ts';

const HEAD = 125;

/** A copy of a database with the index of the recorded network, including contracts and events. */
export function openRecordedIndex(): Promise<TestDatabase> {
  return createFilledTestDatabase({
    name: 'recorded',
    source: 'test/indexer/support/recorded-index.ts',
    fill: async (url) => {
      const replay = await openReplayApp();
      const database = createDatabase({
        url,
        replicaUrls: [],
        poolSize: 5,
        isCluster: await findCluster(url, 'auto'),
        log: createQuietLog(),
      });
      const context = await openTestIndexer({ url, database, drop: () => database.close() });
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
