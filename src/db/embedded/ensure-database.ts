import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { troubleOf } from '../trouble.ts';
import { explain } from './explain.ts';
import { DATABASE, socketUrl } from './socket.ts';

const TIMEOUT_MS = 30_000;
const RETRY_MS = 50;
const DUPLICATE_DATABASE = '42P04';

/** Makes our database in a running PostgreSQL when it is not there; that it answers is thereby known too. */
export async function ensureDatabase(location: string, socketDirectory: string): Promise<void> {
  const giveUpAt = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await createIfMissing(socketUrl(socketDirectory, 'postgres'));
    } catch (error) {
      // A postmaster that was just adopted may be on its way down or up.
      const mayPass = troubleOf(error) === 'down' && Date.now() < giveUpAt;
      if (!mayPass) {
        throw explain({ what: 'PostgreSQL does not work', location, output: String(error), cause: error });
      }
    }
    await sleep(RETRY_MS);
  }
}

async function createIfMissing(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } catch (error) {
    if ((error as { code?: string }).code !== DUPLICATE_DATABASE) throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
