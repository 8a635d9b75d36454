import type { Settings } from '../config/settings.ts';
import { waitForDatabase } from '../db/check-database.ts';
import { createDatabase, type Database } from '../db/connection.ts';
import { startEmbeddedPostgres } from '../db/embedded/server.ts';
import { migrateToLatest } from '../db/migrations.ts';
import type { Log } from '../lib/log.ts';
import { createLogger } from '../observe/logger.ts';

/** No statement of a request takes this long in good health; what does is ended and answered with 504. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** An open, migrated database, and where it is. */
interface OpenedDatabase {
  readonly database: Database;
  readonly url: string;
  /** Where the embedded PostgreSQL keeps its data; undefined when `DATABASE_URL` names another one. */
  readonly embeddedAt: string | undefined;
  /** Closes the connections and, where it was started by us alone, PostgreSQL itself. */
  readonly close: () => Promise<void>;
}

type DatabaseSettings = Pick<
  Settings,
  | 'databaseUrl'
  | 'databaseReplicaUrls'
  | 'databaseReplicaMaxLag'
  | 'databaseKeepPlans'
  | 'databasePoolSize'
  | 'dataDir'
>;

/** Connects to the database of the settings, or to one of our own in `DATA_DIR`, and brings its schema up to date. */
export async function openDatabase(settings: DatabaseSettings, log: Log): Promise<OpenedDatabase> {
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log })
      : undefined;
  try {
    const url = embedded?.url ?? settings.databaseUrl!;
    if (embedded === undefined) await waitForDatabase({ url, log });
    const database = createDatabase({
      url,
      replicaUrls: settings.databaseReplicaUrls,
      replicaMaxLagMs: settings.databaseReplicaMaxLag,
      keepPlans: settings.databaseKeepPlans,
      poolSize: settings.databasePoolSize,
      log,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    const close = async () => {
      await database.close();
      await embedded?.stop();
    };
    try {
      await migrateToLatest(database.primary, log);
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

export interface CommandPorts {
  readonly database: () => Promise<Database>;
  readonly network: string;
}

/** Runs a command on the database, which is opened when the command first asks for it, and closed behind it. */
export async function openForCommand(
  readSettings: () => Settings,
  run: (ports: CommandPorts) => Promise<number>,
): Promise<number> {
  const settings = readSettings();
  const log = createLogger({ level: 'warn', destination: process.stderr });
  let opened: Promise<OpenedDatabase> | undefined;
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
