import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createDatabase } from '../../src/db/connection.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { migrateToLatest } from '../../src/db/migrations.ts';
import { distributeTables } from '../../src/index/cluster.ts';
import { joinCluster, startCitus } from './citus.ts';
import { endConnections, withDatabase } from './database.ts';
import { createQuietLog } from './quiet-log.ts';
import {
  abandonedTemporaryDirectories,
  copyWithOwners,
  makeTemporaryDirectory,
  removeTemporaryDirectory,
} from './temporary-directory.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A URL of the test server, with a user that may create databases. */
    testServerUrl: string;
    /** The other nodes, if the tests run on a cluster. */
    testWorkerUrls: readonly string[];
    /** The migrated database that tests clone. */
    testTemplate: string;
    /** The empty database that tests of migrations clone. */
    emptyTemplate: string;
    /**
     * A copy of a new data directory, for tests that start their own PostgreSQL: initdb takes a second. Empty with
     * TEST_DATABASE_URL.
     */
    pristineCluster: string;
    /** For files that the first test that needs them creates and the others copy. */
    runDirectory: string;
  }
}

/**
 * Starts one PostgreSQL for the whole run, or uses the server of TEST_DATABASE_URL, and migrates the template database. With
 * TEST_CLUSTER=citus it is a Citus cluster of a coordinator and two workers; with TEST_WORKER_URLS the server is the
 * coordinator of these workers.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Called for every project of a run; all of them get what the root project provides.
  if (!project.isRootProject()) return undefined;
  await removeAbandoned();
  const directory = makeTemporaryDirectory('run');
  const server = await startServer(directory);
  const template = `tongate_template_${randomBytes(4).toString('hex')}`;
  const { workerUrls } = server;
  const isCluster = workerUrls.length > 0;
  const nodes = [server.url, ...workerUrls];
  for (const node of nodes) await run(node, `create database ${template}`);
  const emptyTemplate = isCluster ? `${template}_empty` : 'template0';
  if (isCluster) {
    await joinCluster(nodes.map((url) => withDatabase(url, template)));
    for (const node of nodes) {
      await endConnections(node, template);
      await run(node, `create database ${emptyTemplate} template ${template}`);
    }
  }
  const log = createQuietLog();
  const database = createDatabase({
    url: withDatabase(server.url, template),
    replicaUrls: [],
    poolSize: 2,
    isCluster,
    log,
  });
  await migrateToLatest(database.primary, log);
  if (isCluster) await distributeTables(database.primary, { shards: TEST_SHARDS, log });
  // A template must have no connections when it is cloned.
  await database.close();
  if (isCluster) for (const node of nodes) await endConnections(node, template);
  project.provide('testServerUrl', server.url);
  project.provide('testWorkerUrls', nodes.slice(1));
  project.provide('emptyTemplate', emptyTemplate);
  project.provide('pristineCluster', server.pristineCluster);
  project.provide('testTemplate', template);
  project.provide('runDirectory', directory);
  return async () => {
    // Including the filled databases that tests share.
    const filled = ['demo', 'index', 'recorded', 'served'].map((name) => `${template}_${name}`);
    const own = [template, ...filled, ...(isCluster ? [emptyTemplate] : [])];
    for (const node of nodes)
      for (const name of own) await run(node, `drop database if exists ${name} with (force)`);
    await server.stop();
    await removeTemporaryDirectory(directory);
  };
}

/** Stops PostgreSQL servers and removes directories of killed runs. */
async function removeAbandoned(): Promise<void> {
  const log = createQuietLog();
  for (const directory of abandonedTemporaryDirectories()) {
    const dataDirs = [join(directory, 'data'), directory];
    const dataDir = dataDirs.find((one) => existsSync(join(one, 'postgres', 'cluster', 'postmaster.pid')));
    if (dataDir !== undefined) {
      const postgres = await startEmbeddedPostgres({ dataDir, log }).catch(() => undefined);
      // A server that cannot be adopted cannot be stopped, so its files stay.
      if (postgres === undefined) continue;
      await postgres.stop();
    }
    await removeTemporaryDirectory(directory);
  }
}

/** Shards of each table: one on each worker. */
const TEST_SHARDS = 2;

interface TestServer {
  readonly url: string;
  readonly pristineCluster: string;
  /** Of the cluster of which the server is the coordinator. */
  readonly workerUrls: readonly string[];
  stop(): Promise<void>;
}

async function startServer(directory: string): Promise<TestServer> {
  if (process.env.TEST_CLUSTER === 'citus') {
    const cluster = await startCitus(join(directory, 'citus'));
    const workerUrls = cluster.workers.map(({ url }) => url);
    return { url: cluster.coordinator.url, workerUrls, pristineCluster: '', stop: () => cluster.stop() };
  }
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    const workerUrls = process.env.TEST_WORKER_URLS?.split(',') ?? [];
    return { url: given, workerUrls, pristineCluster: '', stop: async () => {} };
  }
  const options = {
    dataDir: join(directory, 'data'),
    fallbackRoot: join(directory, 'fallback'),
    log: createQuietLog(),
  };
  const first = await startEmbeddedPostgres(options);
  // Test data need not survive a power failure, only a killed process.
  for (const setting of ['fsync', 'full_page_writes'])
    await run(first.url, `alter system set ${setting} = off`);
  await first.stop();
  const pristineCluster = join(directory, 'pristine-cluster');
  copyWithOwners(join(first.location, 'cluster'), pristineCluster);
  return { pristineCluster, workerUrls: [], ...(await startEmbeddedPostgres(options)) };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
