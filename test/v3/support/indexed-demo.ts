import { createDetection } from '../../../src/detect/create-detection.ts';
import { DETECTORS } from '../../../src/detect/detectors/all-detectors.ts';
import { knownContracts } from '../../../src/detect/known-contracts.ts';
import { createWriter } from '../../../src/index/write/writer.ts';
import { createIndexer } from '../../../src/ingest/indexer.ts';
import { startLocalnet } from '../../../src/localnet/chain/start-localnet.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { classifyAll } from '../../classify/support/classifying.ts';
import { openChainPool } from '../../ingest/support/index-tables.ts';
import { isComplete, until, untilNothingIsMissing } from '../../ingest/support/test-indexer.ts';
import {
  createFilledTestDatabase,
  readFilledTestDatabase,
  type TestDatabase,
} from '../../support/database.ts';
import { copyDemoChain, demoChainVersion } from '../../support/demo-chain.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedDecoder } from '../../support/shared-decoder.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';

/** Shards of the demo chain. */
export const DEMO_SHARDS = 4;
/** Size of a partition of the index. */
export const PARTITION_SEQNOS = 10;
const TIMING = { heartbeatMs: 100, pollMs: 50, missingMs: 50, poolsMs: 50 };

/** A separate database with the index of the demo chain, including contracts, events and actions. */
export async function openIndexedDemo(): Promise<TestDatabase> {
  return createFilledTestDatabase(await filledDemo());
}

/** The same for files that only read it, which share a database. */
export async function readIndexedDemo(): Promise<TestDatabase> {
  return readFilledTestDatabase(await filledDemo());
}

const filledDemo = async () => ({
  name: 'demo',
  source: 'test/v3/support/indexed-demo.ts',
  version: await demoChainVersion(DEMO_SHARDS),
  fill: indexDemo,
});

/** The demo chain with its lite server; it produces blocks only on request. */
export async function startDemoChain(log = createQuietLog()) {
  const folder = makeTemporaryDirectory('v3-demo');
  await copyDemoChain(folder, DEMO_SHARDS);
  return startLocalnet({
    routineTransactions: true,
    vm: sharedVm(),
    folder,
    settings: { blockMs: 3_600_000, mine: 'message', shards: DEMO_SHARDS },
    host: '127.0.0.1',
    port: 0,
    log,
  });
}

async function indexDemo({ url, database }: Pick<TestDatabase, 'url' | 'database'>): Promise<void> {
  const log = createQuietLog();
  const running = await startDemoChain(log);
  const pool = await openChainPool(running.globalConfigPath, log);
  const [decoder, writer] = [
    sharedDecoder(),
    createWriter({ url, log, metadata: createChainMetadataReader() }),
  ];
  const vm = sharedVm();
  const [db, check] = [database.primary, { verify: true }];
  const detection = createDetection({
    vm,
    db,
    pool,
    check,
    log,
    detectors: DETECTORS,
    known: knownContracts('other'),
  });
  const indexer = createIndexer({
    pool,
    check,
    db,
    decoder,
    writer,
    detection,
    vm,
    log,
    timing: TIMING,
    from: 1,
    partitionSeqnos: PARTITION_SEQNOS,
  });
  try {
    const { seqno } = await pool.waitForSeqno(1, { timeoutMs: 120_000 });
    indexer.start();
    await until(indexer, isComplete(seqno));
    await untilNothingIsMissing({ database });
    await classifyAll({ url, database });
  } finally {
    await indexer.close();
    await Promise.all([decoder.close(), writer.close(), vm.close(), pool.close()]);
    await running.stop();
  }
}
