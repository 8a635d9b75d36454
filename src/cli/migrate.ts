import type { Settings } from '../config/settings.ts';
import { createLogger, flushLog } from '../observe/logger.ts';
import { openDatabase } from './open-database.ts';

/** Brings the database schema up to date and ends. */
export async function migrate(settings: Settings): Promise<void> {
  const log = createLogger({ level: settings.logLevel, pretty: process.stdout.isTTY === true });
  const { close } = await openDatabase(settings, log);
  await close();
  log.info({}, 'The database schema is up to date');
  await flushLog(log);
}
