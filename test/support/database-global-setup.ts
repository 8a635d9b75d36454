import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createDatabase } from '../../src/db/connection.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { migrateToLatest } from '../../src/db/migrations.ts';
import { withDatabase } from './database.ts';
import { createQuietLog } from './quiet-log.ts';
import {
  copyWithOwners,
  forgottenTemporaryDirectories,
  makeTemporaryDirectory,
  removeTemporaryDirectory,
} from './temporary-directory.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A URL of the test server with the right to make databases. */
    testServerUrl: string;
    /** The migrated database that tests clone. */
    testTemplate: string;
    /**
     * A copy of a fresh data directory; tests that start a PostgreSQL of their own save the second that
     * making one takes.
     */
    pristineCluster: string;
    /** For what the first test that needs it makes and others copy. */
    runDirectory: string;
  }
}

/**
 * One PostgreSQL for the whole run: ours, or the server of TEST_DATABASE_URL. Its template is migrated once.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Every project of a run comes here, and has what the root provides.
  if (!project.isRootProject()) return undefined;
  await removeForgotten();
  const directory = makeTemporaryDirectory('run');
  const server = await startServer(directory);
  const template = `tongate_template_${randomBytes(4).toString('hex')}`;
  await run(server.url, `create database ${template}`);
  const log = createQuietLog();
  const database = createDatabase({
    url: withDatabase(server.url, template),
    replicaUrls: [],
    poolSize: 2,
    log,
  });
  await migrateToLatest(database.primary, log);
  // A template must have no connections when it is cloned.
  await database.close();
  project.provide('testServerUrl', server.url);
  project.provide('pristineCluster', server.pristineCluster);
  project.provide('testTemplate', template);
  project.provide('runDirectory', directory);
  return async () => {
    // Also those that tests have filled for others.
    for (const name of [template, `${template}_demo`])
      await run(server.url, `drop database if exists ${name} with (force)`);
    await server.stop();
    await removeTemporaryDirectory(directory);
  };
}

/** A run that was killed leaves its PostgreSQL running; the first user after it is the last one out. */
async function removeForgotten(): Promise<void> {
  const log = createQuietLog();
  for (const directory of forgottenTemporaryDirectories()) {
    const dataDir = join(directory, 'data');
    if (existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))) {
      const postgres = await startEmbeddedPostgres({ dataDir, log }).catch(() => undefined);
      // What cannot be joined cannot be ended either, so its files stay.
      if (postgres === undefined) continue;
      await postgres.stop();
    }
    await removeTemporaryDirectory(directory);
  }
}

async function startServer(
  directory: string,
): Promise<{ url: string; pristineCluster: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, pristineCluster: '', stop: async () => {} };
  const place = {
    dataDir: join(directory, 'data'),
    fallbackRoot: join(directory, 'fallback'),
    log: createQuietLog(),
  };
  const first = await startEmbeddedPostgres(place);
  // The data of a test run need not survive a power cut; it must survive the end of a process.
  for (const setting of ['fsync', 'full_page_writes'])
    await run(first.url, `alter system set ${setting} = off`);
  await first.stop();
  const pristineCluster = join(directory, 'pristine-cluster');
  copyWithOwners(join(first.location, 'cluster'), pristineCluster);
  return { pristineCluster, ...(await startEmbeddedPostgres(place)) };
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
