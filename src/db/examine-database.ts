import { sql } from 'kysely';
import type { Log } from '../lib/log.ts';
import { createDatabase } from './connection.ts';
import { MIGRATIONS } from './migrations.ts';
import { waitForDatabase } from './wait-for-database.ts';

/** How a database is, for a person who looks for what is wrong. */
export interface DatabaseExam {
  readonly version: string;
  /** Major version. */
  readonly major: number;
  readonly bytes: number;
  /** Migrations that are still to be applied. */
  readonly outstanding: number;
  readonly connections: { readonly used: number; readonly allowed: number };
}

const CONNECT_MS = 3000;

/** Looks at a database without changing it. A StartError says why it cannot be used. */
export async function examineDatabase(url: string, log: Log): Promise<DatabaseExam> {
  await waitForDatabase({ url, log, timeoutMs: CONNECT_MS });
  const database = createDatabase({ url, replicaUrls: [], poolSize: 1, log, statementTimeoutMs: 5000 });
  try {
    return await database.write(async (db) => {
      const applied = await sql<{ name: string }>`select name from kysely_migration`
        .execute(db)
        .catch(() => ({ rows: [] as { name: string }[] }));
      const known = new Set(applied.rows.map(({ name }) => name));
      const { rows } = await sql<Facts>`select
        current_setting('server_version') as version,
        current_setting('server_version_num')::int as number,
        pg_database_size(current_database())::float8 as bytes,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int as allowed`.execute(db);
      const { version, number, bytes, used, allowed } = rows[0]!;
      return {
        ...{ version, bytes, connections: { used, allowed } },
        major: Math.floor(number / 10_000),
        outstanding: Object.keys(MIGRATIONS).filter((name) => !known.has(name)).length,
      };
    });
  } finally {
    await database.close();
  }
}

interface Facts {
  readonly version: string;
  readonly number: number;
  readonly bytes: number;
  readonly used: number;
  readonly allowed: number;
}
