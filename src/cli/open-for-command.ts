import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import { createLogger } from '../observe/logger.ts';
import { type OpenedDatabase, openDatabase } from './open-database.ts';

interface CommandPorts {
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
