/**
 * Streams over an index in a process of their own, so that their memory can be measured. Takes the URL of the database;
 * tells its own URL, and its memory after garbage collection when it is asked for it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../../../src/db/connection.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { openStreamApp } from './stream-app.ts';

const [databaseUrl] = process.argv.slice(2);
const database = createDatabase({
  url: databaseUrl!,
  replicaUrls: [],
  poolSize: 4,
  log: createQuietLog(),
});
const app = await openStreamApp(database, { timing: { keyCheckMs: 5000 } });
process.on('message', async () => {
  // What requests leave behind is freed some turns of the event loop later; this kind of collection also gives pages back.
  for (let round = 0; round < 5; round++) {
    await sleep(200);
    globalThis.gc!({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }
  process.send!({ memory: process.memoryUsage() });
});
process.on('disconnect', () => process.exit());
process.send!({ url: app.url, key: await app.key() });
