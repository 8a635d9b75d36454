import type { Settings } from '../config/settings.ts';
import { createLogger, flushLog } from '../observe/logger.ts';
import { openDatabase } from './open-database.ts';

/** Migrates the database schema and exits. */
export async function migrate(settings: Settings): Promise<void> {
  const log = createLogger({ level: settings.logLevel, pretty: process.stdout.isTTY === true });
  const { close } = await openDatabase(settings, log);
  await close();
  log.info({}, 'Database schema up to date');
  await flushLog(log);
}
