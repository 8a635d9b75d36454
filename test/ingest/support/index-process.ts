import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
// An indexer process for crash tests. Arguments: the global config of the chain, the URL of the database, the size of
// a partition. Its chunks are small, so that it can be killed at many points.

import { createDatabase } from '../../../src/db/connection.ts';
import { createDetection } from '../../../src/detect/create-detection.ts';
import { DETECTORS } from '../../../src/detect/detectors/all-detectors.ts';
import { knownContracts } from '../../../src/detect/known-contracts.ts';
import { findCluster } from '../../../src/index/cluster.ts';
import { createWriter } from '../../../src/index/write/writer.ts';
import { createDecoder } from '../../../src/ingest/decode/decoder.ts';
import { createIndexer } from '../../../src/ingest/indexer.ts';
import { createVm } from '../../../src/vm/vm.ts';
import { openChainPool } from './index-tables.ts';

const [configPath = '', url = '', partitionSeqnos = ''] = process.argv.slice(2);
// The test has exited.
process.once('disconnect', () => process.exit());
const log = { info() {}, warn() {}, error: console.error };
const pool = await openChainPool(configPath, log);
const database = createDatabase({
  url,
  replicaUrls: [],
  poolSize: 5,
  isCluster: await findCluster(url, 'auto'),
  log,
});
const vm = createVm({ log, threads: 1 });
const detection = createDetection({
  vm,
  db: database.primary,
  pool,
  check: { verify: true },
  log,
  detectors: DETECTORS,
  known: knownContracts('other'),
});
const indexer = createIndexer({
  pool,
  check: { verify: true },
  db: database.primary,
  detection,
  vm,
  log,
  decoder: createDecoder({ threads: 1, log }),
  writer: createWriter({ url, log, metadata: createChainMetadataReader() }),
  from: 1,
  partitionSeqnos: Number(partitionSeqnos),
  chunkSeqnos: 4,
  timing: { heartbeatMs: 50, pollMs: 20, firstPauseMs: 10, maxPauseMs: 50, missingMs: 20, poolsMs: 20 },
});
indexer.start();
