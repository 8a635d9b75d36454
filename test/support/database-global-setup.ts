import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createDatabase } from '../../src/db/connection.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { migrateToLatest } from '../../src/db/migrations.ts';
import { distributeTables } from '../../src/index/cluster.ts';
import { joinCluster, startCitus } from './citus.ts';
import { endConnections, withDatabase } from './database.ts';
import { copyFixture, fixtureHash, storeFixture } from './fixtures.ts';
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
 * coordinator of these workers. Our own single server starts with the databases of the last run that are still valid.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Called for every project of a run that needs it; all of them get what the root project provides.
  const root = project.vitest.getRootProject();
  if ('testServerUrl' in root.getProvidedContext()) return undefined;
  await removeAbandoned();
  const directory = makeTemporaryDirectory('run');
  const server = await startServer(directory);
  // On a server of others, the name is of this run alone.
  const suffix = server.isOwn ? fixtureHash(TEMPLATE_SOURCE) : randomBytes(4).toString('hex');
  const template = `${TEMPLATE}${suffix}`;
  const { workerUrls } = server;
  const isCluster = workerUrls.length > 0;
  const nodes = [server.url, ...workerUrls];
  const emptyTemplate = isCluster ? `${template}_empty` : 'template0';
  const before = server.isOwn ? await dropOthers(server.url, template) : [];
  if (!before.includes(template)) await createTemplate({ nodes, template, emptyTemplate });
  root.provide('testServerUrl', server.url);
  root.provide('testWorkerUrls', workerUrls);
  root.provide('emptyTemplate', emptyTemplate);
  root.provide('pristineCluster', server.pristineCluster);
  root.provide('testTemplate', template);
  root.provide('runDirectory', directory);
  return async () => {
    if (server.isOwn) {
      const after = await dropOthers(server.url, template);
      await server.stop();
      if (after.join() !== before.join()) storeFixture(server.cluster, CLUSTER);
    } else {
      for (const node of nodes)
        for (const name of await databasesOf(node, template))
          await run(node, `drop database if exists ${name} with (force)`);
      await server.stop();
    }
    await removeTemporaryDirectory(directory);
  };
}

const TEMPLATE = 'tongate_template_';
/** What a migrated database depends on. */
const TEMPLATE_SOURCE = 'src/db/migrations.ts';
/** Names of fixtures. The files of PostgreSQL depend on its version, which the hash of a lock file tells. */
const CLUSTER = `cluster-${fixtureHash('package-lock.json')}`;
const PRISTINE = `pristine-${fixtureHash('package-lock.json')}`;

/** Migrates a new database, which gets its name when it is complete. */
async function createTemplate({
  nodes,
  template,
  emptyTemplate,
}: {
  readonly nodes: readonly string[];
  readonly template: string;
  readonly emptyTemplate: string;
}): Promise<void> {
  const log = createQuietLog();
  const isCluster = nodes.length > 1;
  const draft = isCluster ? template : `${template}_draft`;
  for (const node of nodes) await run(node, `create database ${draft}`);
  if (isCluster) {
    await joinCluster(nodes.map((url) => withDatabase(url, draft)));
    for (const node of nodes) {
      await endConnections(node, draft);
      await run(node, `create database ${emptyTemplate} template ${draft}`);
    }
  }
  const database = createDatabase({
    url: withDatabase(nodes[0]!, draft),
    replicaUrls: [],
    poolSize: 2,
    isCluster,
    log,
  });
  await migrateToLatest(database.primary, log);
  if (isCluster) await distributeTables(database.primary, { shards: TEST_SHARDS, log });
  // A template must have no connections when it is cloned.
  await database.close();
  if (isCluster) for (const node of nodes) await endConnections(node, draft);
  else await run(nodes[0]!, `alter database ${draft} rename to ${template}`);
}

/** The databases of a template, itself included. */
async function databasesOf(url: string, template: string): Promise<string[]> {
  const names = await run(url, 'select datname from pg_database order by datname');
  return names.map(({ datname }) => datname).filter((name) => name.startsWith(template));
}

/** Drops the databases of tests and of other templates; returns those that stay. */
async function dropOthers(url: string, template: string): Promise<string[]> {
  const names = await run(
    url,
    "select datname from pg_database where datname like 'tongate\\_%' order by datname",
  );
  const isValid = (name: string) => name.startsWith(template) && !name.endsWith('_draft');
  for (const { datname } of names)
    if (!isValid(datname)) await run(url, `drop database ${datname} with (force)`);
  return names.map(({ datname }) => datname).filter(isValid);
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
  /** Whether it is a single server of this run alone, whose files can be kept. */
  readonly isOwn: boolean;
  /** Its files. */
  readonly cluster: string;
  readonly pristineCluster: string;
  /** Of the cluster of which the server is the coordinator. */
  readonly workerUrls: readonly string[];
  stop(): Promise<void>;
}

async function startServer(directory: string): Promise<TestServer> {
  if (process.env.TEST_CLUSTER === 'citus') {
    const cluster = await startCitus(join(directory, 'citus'));
    const workerUrls = cluster.workers.map(({ url }) => url);
    return {
      url: cluster.coordinator.url,
      isOwn: false,
      cluster: '',
      workerUrls,
      pristineCluster: '',
      stop: () => cluster.stop(),
    };
  }
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    const workerUrls = process.env.TEST_WORKER_URLS?.split(',') ?? [];
    return { url: given, isOwn: false, cluster: '', workerUrls, pristineCluster: '', stop: async () => {} };
  }
  const options = {
    dataDir: join(directory, 'data'),
    fallbackRoot: join(directory, 'fallback'),
    log: createQuietLog(),
  };
  const pristineCluster = join(directory, 'pristine-cluster');
  if (!copyFixture(PRISTINE, pristineCluster)) {
    const first = await startEmbeddedPostgres(options);
    // Test data need not survive a power failure, only a killed process.
    for (const setting of ['fsync', 'full_page_writes'])
      await run(first.url, `alter system set ${setting} = off`);
    await first.stop();
    copyWithOwners(join(first.location, 'cluster'), pristineCluster);
    storeFixture(pristineCluster, PRISTINE);
  } else {
    const location = join(options.dataDir, 'postgres');
    mkdirSync(location, { recursive: true });
    for (const created of [options.dataDir, location]) chmodSync(created, 0o755);
    const cluster = join(location, 'cluster');
    if (!copyFixture(CLUSTER, cluster)) copyWithOwners(pristineCluster, cluster);
  }
  const running = await startEmbeddedPostgres(options);
  return {
    url: running.url,
    isOwn: true,
    cluster: join(running.location, 'cluster'),
    workerUrls: [],
    pristineCluster,
    stop: () => running.stop(),
  };
}

async function run(url: string, statement: string): Promise<{ readonly datname: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
