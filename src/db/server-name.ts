import pg from 'pg';
import { StartError } from '../lib/start-error.ts';

/** Where a database URL points, for people: host, port and database, never user or password. */
export function serverName(url: string, setting = 'DATABASE_URL'): string {
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionString: url });
  } catch {
    // Not even as a cause: the parser's own error quotes the URL.
    throw new StartError(
      `${setting} is not a PostgreSQL URL; it should look like postgresql://user:password@host:5432/database`,
    );
  }
  const place = client.host.startsWith('/') ? `socket ${client.host}` : `${client.host}:${client.port}`;
  return `${place}, database "${client.database}"`;
}
