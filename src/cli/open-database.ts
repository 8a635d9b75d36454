import type { Settings } from '../config/settings.ts';
import { waitForDatabase } from '../db/check-database.ts';
import { createDatabase, type Database } from '../db/connection.ts';
import { startEmbeddedPostgres } from '../db/embedded/server.ts';
import { migrateToLatest } from '../db/migrations.ts';
import { distributeTables, findCluster } from '../index/cluster.ts';
import type { Log } from '../lib/log.ts';
import { createLogger, flushLog } from '../observe/logger.ts';
import { checkNetworkOf } from './start-checks.ts';

/** Statements of requests are cancelled after this; the request gets a 504 response. */
const STATEMENT_TIMEOUT_MS = 10_000;

type DatabaseSettings = Pick<
  Settings,
  | 'databaseUrl'
  | 'databaseReplicaUrls'
  | 'databaseReplicaMaxLag'
  | 'databaseCluster'
  | 'databaseShards'
  | 'databaseKeepPlans'
  | 'databasePoolSize'
  | 'dataDir'
  | 'network'
>;

/**
 * Connects to the database of the settings, or the embedded one in `DATA_DIR`, and migrates its schema. With `create` a
 * missing database is created.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  log: Log,
  { create = false }: { readonly create?: boolean } = {},
) {
  if (settings.databaseUrl === undefined) await checkNetworkOf(settings);
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log })
      : undefined;
  try {
    const url = embedded?.url ?? settings.databaseUrl!;
    if (embedded === undefined) await waitForDatabase({ url, log, create });
    const isCluster = embedded === undefined && (await findCluster(url, settings.databaseCluster));
    const database = createDatabase({
      url,
      isCluster,
      replicaUrls: settings.databaseReplicaUrls,
      replicaMaxLagMs: settings.databaseReplicaMaxLag,
      keepPlans: settings.databaseKeepPlans,
      poolSize: settings.databasePoolSize,
      log,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    /** Closes the connections, and the embedded PostgreSQL unless others use it. */
    const close = async () => {
      await database.close();
      await embedded?.stop();
    };
    try {
      await migrateToLatest(database.primary, log);
      if (isCluster) await distributeTables(database.primary, { shards: settings.databaseShards, log });
    } catch (error) {
      await database.close();
      throw error;
    }
    return { database, url, embeddedAt: embedded?.location, close };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** Runs a command with a database that is opened on demand and closed afterwards. */
export async function openForCommand(
  settings: Settings,
  log: Log,
  run: (ports: { readonly database: () => Promise<Database>; readonly network: string }) => Promise<number>,
): Promise<number> {
  let opened: ReturnType<typeof openDatabase> | undefined;
  const database = async () => {
    opened ??= openDatabase(settings, log);
    return (await opened).database;
  };
  try {
    return await run({ database, network: settings.network });
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}

export async function migrate(settings: Settings): Promise<void> {
  const log = createLogger({ level: settings.logLevel, pretty: process.stdout.isTTY === true });
  const { close } = await openDatabase(settings, log, { create: true });
  await close();
  log.info({}, 'Database schema up to date');
  await flushLog(log);
}
