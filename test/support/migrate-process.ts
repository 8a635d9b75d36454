// Migrates the database in its first argument.
import { createDatabase } from '../../src/db/connection.ts';
import { migrateToLatest } from '../../src/db/migrations.ts';
import { createQuietLog } from './quiet-log.ts';

const log = createQuietLog();
const database = createDatabase({ url: process.argv[2] ?? '', replicaUrls: [], poolSize: 2, log });
await migrateToLatest(database.primary, log);
await database.close();
process.disconnect();
