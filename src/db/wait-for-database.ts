import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../lib/log.ts';
import { StartError } from '../lib/start-error.ts';
import { serverName } from './server-name.ts';
import { troubleOf } from './trouble.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const RETRY_MS = 250;

/**
 * Waits until the server takes connections, because in a compose file it starts together with us; what
 * waiting cannot help (a wrong password, no such database) is reported at once. The `StartError` names host,
 * port and database.
 */
export async function waitForDatabase({
  url,
  log,
  timeoutMs = 15_000,
}: {
  readonly url: string;
  readonly log: Log;
  readonly timeoutMs?: number;
}): Promise<void> {
  const server = serverName(url);
  const giveUpAt = Date.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    const error = await connectOnce(url);
    if (error === undefined) return;
    const trouble = troubleOf(error);
    if ((trouble !== 'down' && trouble !== 'busy') || Date.now() >= giveUpAt) throw explain(error, server);
    if (attempt === 1) log.warn({ server, reason: reasonOf(error) }, 'Waiting for the database');
    await sleep(RETRY_MS);
  }
}

async function connectOnce(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => {});
  }
}

function explain(error: unknown, server: string): StartError {
  const refused = troubleOf(error) === undefined;
  const what = refused ? 'PostgreSQL refuses the connection to' : 'Cannot reach PostgreSQL at';
  return new StartError(
    `${what} ${server}: ${reasonOf(error)}. Check DATABASE_URL and that the server runs`,
    {
      cause: error,
    },
  );
}

/** The error's text; a name with several addresses fails with an AggregateError that has only a code. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}
