import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createClassifier } from '../classify/classifier.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import { createDetection } from '../detect/create-detection.ts';
import { DETECTORS } from '../detect/detectors/all-detectors.ts';
import { knownContracts } from '../detect/known-contracts.ts';
import { dropHistory, hasOrigin, partitionSeqnosFor } from '../index/coverage.ts';
import { createWriter } from '../index/write/writer.ts';
import { createDecoder } from '../ingest/decode/decoder.ts';
import { createIndexer } from '../ingest/indexer.ts';
import type { Log } from '../lib/log.ts';
import type { CheckOptions } from '../lite/methods/proofs.ts';
import type { LitePool } from '../lite/pool.ts';
import { createMetadataFetcher } from '../metadata/metadata-fetcher.ts';
import { METADATA_SETTINGS, type MetadataSettings } from '../metadata/metadata-settings.ts';
import { createMintlessFiller } from '../metadata/mintless/mintless-filler.ts';
import { createChainMetadataReader } from '../metadata/token-fields.ts';
import { createIndexMetrics } from '../observe/index-metrics.ts';
import type { Metrics } from '../observe/metrics.ts';
import { createVm } from '../vm/vm.ts';
import type { HostProcess } from './open-process.ts';

export type Indexing = Awaited<ReturnType<typeof startIndexing>>;

/** What is told of an indexer, which may run in another process. */
export type IndexingView = Pick<Indexing, 'progress' | 'classification'>;

interface IndexingOptions {
  readonly settings: Settings;
  readonly database: Database;
  /** Of the database, for the connections of the writer. */
  readonly databaseUrl: string;
  readonly pool: LitePool;
  readonly check: CheckOptions;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Those of somebody else; by default it has its own. */
  readonly threads?: HostProcess['threads'] | undefined;
}

const MAX_THREADS = 4;
const DROP_EVERY_MS = 10 * 60_000;
/** For new blocks, and for accounts with missing cells. */
const EXTRA_WRITERS = 3;
/** A batch may have thousands of contracts, and each lane has a batch. */
export const GET_METHOD_QUEUE = 100_000;
const MEGABYTE = 1024 * 1024;

export async function startIndexing(options: IndexingOptions) {
  const { settings, database, databaseUrl, pool, check, log } = options;
  const metrics = createIndexMetrics(options.metrics.registry);
  const db = database.primary;
  const threads = threadsOf(settings);
  const decoder = options.threads?.decoder ?? createDecoder({ threads, log });
  const metadata = metadataSettings(settings);
  const writer = createWriter({
    url: databaseUrl,
    log,
    metadata: createChainMetadataReader(metadata),
    connections: settings.indexLanes + EXTRA_WRITERS,
  });
  // Separate from the threads for requests: neither may wait for the other.
  const vm = options.threads?.vm ?? createVm({ threads, log, queueLimit: GET_METHOD_QUEUE });
  const detection = createDetection({
    vm,
    db,
    pool,
    check,
    log,
    detectors: DETECTORS,
    known: knownContracts(networkOf(settings)),
  });
  // Whoever runs a local chain also runs the servers that its tokens name.
  const environment = settings.network === 'localnet' ? { isPublic: () => true } : {};
  const fetcher = createMetadataFetcher({
    db,
    log,
    settings: metadata,
    metrics: metrics.metadata,
    environment,
  });
  const mintless = createMintlessFiller({
    db,
    log,
    folder: join(settings.dataDir, 'mintless'),
    maxBytes: settings.mintlessDiskMb * MEGABYTE,
    gateways: metadata,
    environment,
    onDump: metrics.mintlessDump,
  });
  const classifier = (options.threads?.createClassifier ?? createClassifier)({
    url: databaseUrl,
    log,
    onBatch({ traces, transactions, actions, failures, ms }) {
      metrics.count('classifiedTraces', traces);
      metrics.count('classifiedTransactions', transactions);
      metrics.count('actions', actions);
      metrics.count('classificationFailures', failures);
      metrics.time('classify', ms.classify);
      metrics.time('classify_load', ms.load);
      metrics.time('classify_write', ms.write);
    },
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
    metrics,
    onWritten: classifier.wake,
    from: await firstSeqno(settings, database),
    partitionSeqnos: partitionSeqnosFor(settings.indexKeep),
    lanes: settings.indexLanes,
    mayRestart: settings.network === 'localnet',
  });
  const dropping = dropOldHistory(options);
  metrics.observe(() => {
    const { head, followed, from, indexedSeqnos, missing, waitingPools, missingElectorStates } =
      indexer.progress();
    const { runs, hits, accounts: examined, busyMs } = detection.stats();
    const { queue } = classifier.progress();
    const wanted = head === undefined || from === undefined ? undefined : head - from + 1;
    return {
      headSeqno: head,
      followedSeqno: followed,
      firstSeqno: from,
      missingAccounts: missing,
      waitingPools,
      missingElectorStates,
      gapSeqnos: wanted === undefined ? undefined : Math.max(0, wanted - indexedSeqnos),
      getMethodRuns: runs,
      getMethodHits: hits,
      judgedAccounts: examined,
      detectSeconds: busyMs / 1000,
      waitingTokens: fetcher.state().waiting,
      unclassifiedTraces: queue?.traces,
      unclassifiedSeqnos: queue?.seqnos,
      waitingTraces: queue?.waiting,
      actionsLagSeconds: queue?.oldestSeconds,
    };
  });
  indexer.start();
  fetcher.start();
  if (metadata.isOn && settings.mintlessDiskMb > 0) mintless.start();
  classifier.start();
  return {
    progress: indexer.progress,
    classification: classifier.progress,
    /** Call it after the chain may have gone back; resolves when the index has gone back with it, or is empty. */
    followRestoredChain: indexer.followRestoredChain,
    close: async () => {
      await dropping.close();
      await Promise.all([indexer.close(), fetcher.close(), mintless.close(), classifier.close()]);
      await Promise.all([decoder.close(), writer.close(), vm.close()]);
    },
  };
}

/** An index that drops its history must not fetch it again at the next start. */
async function firstSeqno({ indexFrom, indexKeep }: Settings, database: Database): Promise<number | 'now'> {
  if (indexKeep !== 'all' && (await database.write(hasOrigin))) return 'now';
  return indexFrom === 'genesis' ? 1 : indexFrom;
}

/** Drops old history periodically if INDEX_KEEP is set. */
function dropOldHistory({ settings, database, log }: IndexingOptions) {
  const { indexKeep } = settings;
  if (indexKeep === 'all') return { close: async () => {} };
  let running: Promise<void> | undefined;
  let firstKept: number | undefined;
  let isChecked = false;
  const drop = async (): Promise<void> => {
    try {
      if (!isChecked) isChecked = await checkPartitions(database, indexKeep, log);
      const options = { keepSeconds: indexKeep, nowSeconds: Date.now() / 1000 };
      const first = await dropHistory(database.primary, options);
      if (first !== undefined && first !== firstKept) log.info({ first }, 'Dropped old history');
      firstKept = first;
    } catch (error) {
      log.warn({ err: error }, 'Failed to drop old history, retrying');
    }
  };
  const begin = (): void => {
    running = (running ?? Promise.resolve()).then(drop);
  };
  begin();
  const timer = setInterval(begin, DROP_EVERY_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** Warns if partitions are far wider than the history to keep: they stay as they were made. False while there are none. */
async function checkPartitions({ primary }: Database, keepSeconds: number, log: Log): Promise<boolean> {
  const origin = await primary.selectFrom('index_origin').select('partition_seqnos').executeTakeFirst();
  if (origin === undefined) return false;
  const { partition_seqnos: seqnos } = origin;
  const wanted = partitionSeqnosFor(keepSeconds);
  if (seqnos > wanted)
    log.warn(
      { seqnos, wanted },
      'INDEX_KEEP drops whole partitions, and those of this index are wide: it keeps more until it is filled anew',
    );
  return true;
}

export function metadataSettings(settings: Settings): MetadataSettings {
  const { metadata, metadataConcurrency, metadataIpfsGateway, metadataStorageGateway } = settings;
  const { imgproxyUrl, imgproxyKey: key, imgproxySalt: salt } = settings;
  return {
    ...METADATA_SETTINGS,
    isOn: metadata,
    concurrency: metadataConcurrency,
    ipfsGateways: metadataIpfsGateway,
    tonStorageGateway: metadataStorageGateway,
    imgproxy: imgproxyUrl === undefined ? undefined : { key, salt },
  };
}

export function networkOf({ network }: Settings): 'mainnet' | 'testnet' | 'other' {
  return network === 'mainnet' || network === 'testnet' ? network : 'other';
}

export function threadsOf({ indexThreads }: Settings): number {
  if (indexThreads !== 'auto') return indexThreads;
  return Math.min(Math.max(availableParallelism() - 1, 1), MAX_THREADS);
}
