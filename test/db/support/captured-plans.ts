import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from '../../../src/db/tables.ts';
import { planOf, type QueryPlan } from './query-plan.ts';

/** Tells how PostgreSQL did the queries of functions that take a database. */
export function openPlans(url: string) {
  const captured: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      captured.push(query);
    },
  });
  return {
    /** The plans of all queries that some work sends. */
    async plansOf(work: (db: Kysely<Tables>) => Promise<unknown>): Promise<QueryPlan[]> {
      captured.length = 0;
      await work(db);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const plans: QueryPlan[] = [];
      for (const { sql, parameters } of captured) plans.push(await planOf(client, sql, parameters));
      await client.end();
      return plans;
    },
    close: () => db.destroy(),
  };
}
