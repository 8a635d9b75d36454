import { createDatabase } from '../../src/db/connection.ts';
import { migrateToLatest } from '../../src/db/migrations.ts';
import { distributeTables } from '../../src/index/cluster.ts';
import { type CitusCluster, joinCluster, onNode, startCitus } from './citus.ts';
import { type TestDatabase, withDatabase } from './database.ts';
import { createQuietLog } from './quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from './temporary-directory.ts';

const NAME = 'tongate_cluster';

/** A database on a cluster of its own, whose nodes a test may kill. */
export interface ClusterDatabase extends TestDatabase {
  readonly cluster: CitusCluster;
  /** The database on all nodes, the coordinator first. */
  readonly urls: readonly string[];
}

/** Starts a cluster with an empty index; the last `spare` workers do not belong to it yet. */
export async function createClusterDatabase({
  shards,
  workers = 2,
  spare = 0,
}: {
  readonly shards: number;
  readonly workers?: number;
  readonly spare?: number;
}): Promise<ClusterDatabase> {
  const directory = makeTemporaryDirectory('citus');
  const cluster = await startCitus(directory, { workers: workers + spare });
  const nodes = [cluster.coordinator, ...cluster.workers];
  for (const { url } of nodes) await onNode(url, `create database ${NAME}`);
  const urls = nodes.map(({ url }) => withDatabase(url, NAME));
  await joinCluster(urls.slice(0, workers + 1));
  const log = createQuietLog();
  const [url] = urls as [string];
  const database = createDatabase({ url, replicaUrls: [], poolSize: 5, isCluster: true, log });
  await migrateToLatest(database.primary, log);
  await distributeTables(database.primary, { shards, log });
  return {
    cluster,
    urls,
    url,
    database,
    async drop() {
      await database.close();
      await cluster.stop();
      await removeTemporaryDirectory(directory);
    },
  };
}
