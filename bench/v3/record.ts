import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { createDatabase } from '../../src/db/connection.ts';
import type { Tables } from '../../src/db/tables.ts';
import { createBenchApp } from './bench-app.ts';

/** A statement as it goes to PostgreSQL. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What a request sends to PostgreSQL, and how long its answer is. */
export interface Recorded {
  readonly statements: readonly Statement[];
  readonly bytes: number;
}

/** Answers requests without a port and takes down the statements. */
export interface Recorder {
  readonly record: (path: string) => Promise<Recorded>;
  readonly close: () => Promise<void>;
}

export async function openRecorder(url: string): Promise<Recorder> {
  let sent: Statement[] = [];
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
    log: ({ query: { sql, parameters } }) => {
      sent.push({ sql, parameters });
    },
  });
  const log = { info() {}, warn: console.error, error: console.error };
  const database = createDatabase({ url, replicaUrls: [], poolSize: 1, log });
  const app = await createBenchApp(database, (work) => work(kysely), 'silent');
  return {
    async record(path) {
      sent = [];
      const { statusCode, body } = await app.inject(path);
      if (statusCode !== 200) throw new Error(`${path} answered ${body}`);
      return { statements: sent, bytes: Buffer.byteLength(body) };
    },
    async close() {
      await app.close();
      await kysely.destroy();
      await database.close();
    },
  };
}
