import { CONTRACT_TABLES } from '../../../src/db/tables/contract-tables.ts';
import { VALIDATOR_TABLES } from '../../../src/db/tables/validator-tables.ts';
import {
  type CountedDetection,
  createDetection,
  type DetectionOptions,
} from '../../../src/detect/create-detection.ts';
import { DETECTORS } from '../../../src/detect/detectors/all-detectors.ts';
import { knownContracts } from '../../../src/detect/known-contracts.ts';
import { createWriter, type Writer } from '../../../src/index/write/writer.ts';
import type { Decoder } from '../../../src/ingest/decode/decoder.ts';
import { createIndexer } from '../../../src/ingest/indexer.ts';
import type { IndexerOptions } from '../../../src/ingest/indexer-options.ts';
import type { IndexProgress } from '../../../src/ingest/progress.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedDecoder } from '../../support/shared-decoder.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { until as untilSo } from '../../support/until.ts';
import { type LogicalIndex, logicalIndex } from './logical-index.ts';

/** Fills an index. */
export type Indexer = ReturnType<typeof createIndexer>;

/** A database with indexers. */
export interface TestIndexer extends TestDatabase {
  readonly decoder: Decoder;
  readonly writer: Writer;
  readonly log: ReturnType<typeof createQuietLog>;
  /** Creates contract detection with the lite servers of a pool. */
  detection(pool: IndexerOptions['pool'], options?: Partial<DetectionOptions>): CountedDetection;
  /** Creates an indexer, which is closed with the context. */
  indexer(pool: IndexerOptions['pool'], options?: Partial<IndexerOptions>): Indexer;
  close(): Promise<void>;
}

const TIMING = {
  heartbeatMs: 100,
  // An idle lane asks the database seven things each time.
  pollMs: 200,
  firstPauseMs: 20,
  maxPauseMs: 200,
  divergedMs: 100,
  // Six statements each time.
  missingMs: 100,
  poolsMs: 100,
};

/** An empty index, or one in a given database. */
export async function openTestIndexer(given?: TestDatabase): Promise<TestIndexer> {
  const log = createQuietLog();
  const base = given ?? (await createTestDatabase());
  const decoder = sharedDecoder();
  const writer = createWriter({ url: base.url, log, metadata: createChainMetadataReader() });
  const indexers: Indexer[] = [];
  return {
    ...base,
    decoder,
    writer,
    log,
    detection(pool, options = {}) {
      return createDetection({
        vm: sharedVm(),
        db: base.database.primary,
        pool,
        check: { verify: true },
        log,
        detectors: DETECTORS,
        known: knownContracts('other'),
        ...options,
      });
    },
    indexer(pool, options = {}) {
      const indexer = createIndexer({
        pool,
        check: { verify: true },
        db: base.database.primary,
        decoder,
        writer,
        vm: sharedVm(),
        log,
        from: 1,
        partitionSeqnos: 50,
        timing: TIMING,
        ...options,
      });
      indexers.push(indexer);
      return indexer;
    },
    async close() {
      for (const indexer of indexers) await indexer.close();
      await writer.close();
      await base.drop();
    },
  };
}

/** Waits until the progress of an indexer fulfils a condition. */
export async function until(
  indexer: Indexer,
  isReached: (progress: IndexProgress) => boolean,
): Promise<IndexProgress> {
  let progress = indexer.progress();
  await untilSo(
    () => {
      progress = indexer.progress();
      return isReached(progress);
    },
    () => `not reached: ${JSON.stringify(progress)}`,
  );
  return progress;
}

/** Whether everything up to a seqno is indexed. */
export function isComplete(to: number): (progress: IndexProgress) => boolean {
  return ({ followed, gaps, indexedSeqnos, from }) =>
    (followed ?? 0) >= to && gaps === 0 && indexedSeqnos >= to - (from ?? 0) + 1;
}

/** Waits until code and data of all accounts, and the events of all pools, are indexed. */
export async function untilNothingIsMissing({ database }: Pick<TestDatabase, 'database'>): Promise<void> {
  let row: { readonly account: Buffer } | undefined;
  await untilSo(
    async () => {
      row =
        (await database.primary.selectFrom('missing_cells').select('account').executeTakeFirst()) ??
        (await database.primary.selectFrom('waiting_pools').select('account').executeTakeFirst());
      return row === undefined;
    },
    () => `still missing: ${row?.account.toString('hex')}`,
  );
}

/** Waits until no state of the elector is missing. */
export async function untilElectorIsKnown({ database }: Pick<TestDatabase, 'database'>): Promise<void> {
  let row: { readonly mc_seqno: number } | undefined;
  await untilSo(
    async () => {
      row = await database.primary.selectFrom('missing_elector_states').selectAll().executeTakeFirst();
      return row === undefined;
    },
    () => `the elector is still unknown at ${row?.mc_seqno}`,
  );
}

/** Tables that are compared beside transactions, messages and traces. */
const OTHER_TABLES = [
  'blocks',
  'shard_states',
  'latest_account_states',
  'contract_codes',
  'account_data',
  ...CONTRACT_TABLES,
  'token_metadata',
  'waiting_events',
  'nominator_pool_events',
  'pool_validator_events',
  'waiting_pools',
  'jetton_transfers',
  'jetton_burns',
  'nft_transfers',
  ...VALIDATOR_TABLES.filter((table) => table !== 'missing_elector_states'),
];

/** The content of the index, the same in whatever order and by however many processes it was written. */
export function dumpIndex({ database }: Pick<TestDatabase, 'database'>): Promise<LogicalIndex> {
  return logicalIndex(database.primary, OTHER_TABLES);
}
