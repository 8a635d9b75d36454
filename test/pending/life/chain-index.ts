import { createDatabase } from '../../../src/db/connection.ts';
import { createDecoder } from '../../../src/indexer/decode/decoder.ts';
import { createDetection } from '../../../src/indexer/detect/create-detection.ts';
import { DETECTORS } from '../../../src/indexer/detect/detectors.ts';
import { knownContracts } from '../../../src/indexer/detect/known-contracts.ts';
import { createIndexer } from '../../../src/indexer/indexer.ts';
import { createWriter } from '../../../src/indexer/write/writer.ts';
import { classifyAll } from '../../indexer/classify/classify-ground.ts';
import { isWhole, until, untilNothingIsMissing } from '../../indexer/index-ground.ts';
import { createFilledTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { type EmulatorGround, openEmulatorGround } from '../emulate/emulator-ground.ts';

const PARTITION_SEQNOS = 10;
const TIMING = { beatMs: 100, lookMs: 20, missingMs: 20 };

/** A database of a test's own with the index of the demo, as far as it goes on a chain that nobody has used yet. */
export function openDemoIndex(): Promise<TestDatabase> {
  return createFilledTestDatabase('pending', async (url) => {
    const ground = await openEmulatorGround({ shards: 4, demo: true });
    const database = createDatabase({ url, replicaUrls: [], poolSize: 5, log: createQuietLog() });
    try {
      await indexChain(ground, { url, database });
    } finally {
      await database.close();
      await ground.close();
    }
  });
}

/** Writes all that a chain has to its index, classified; it is the index of the demo, or an empty one. */
export async function indexChain(
  { localnet, pool, vm }: EmulatorGround,
  { url, database }: Pick<TestDatabase, 'url' | 'database'>,
): Promise<void> {
  const log = createQuietLog();
  const [decoder, writer] = [createDecoder({ threads: 1, log }), createWriter({ url, log })];
  const [db, check] = [database.primary, { verify: true }];
  const detection = createDetection({
    ...{ vm, db, pool, check, log, detectors: DETECTORS, known: knownContracts('other') },
  });
  const indexer = createIndexer({
    ...{ pool, check, db, decoder, writer, detection, log, timing: TIMING },
    ...{ from: 1, partitionSeqnos: PARTITION_SEQNOS },
  });
  try {
    indexer.start();
    await until(indexer, isWhole(localnet.store.head.seqno));
    await untilNothingIsMissing({ database });
    await classifyAll({ url, database });
  } finally {
    await indexer.close();
    await Promise.all([decoder.close(), writer.close()]);
  }
}
