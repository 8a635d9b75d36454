import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from '../../../src/db/tables.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How a query ran, by EXPLAIN ANALYZE. */
interface QueryPlan {
  /** Tables with a sequential scan. */
  readonly seqScans: readonly string[];
  /** The most rows in one full sort; incremental sorts do not count. */
  readonly sortedRows: number;
  /** Rows that were fetched, including those removed by a filter. */
  readonly touchedRows: number;
  readonly text: string;
}

/** Runs a query and returns how PostgreSQL executed it. */
export async function planOf(
  client: pg.Client,
  query: string,
  values: readonly unknown[],
): Promise<QueryPlan> {
  const { rows } = await client.query(`explain (analyze, timing off, format json) ${query}`, [...values]);
  const root = rows[0]['QUERY PLAN'][0].Plan as PlanNode;
  const nodes = [...walk(root)];
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
  const sorts = nodes.filter((node) => node['Node Type'] === 'Sort');
  return {
    seqScans: scans.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']!),
    sortedRows: Math.max(0, ...sorts.flatMap((node) => (node.Plans ?? []).map(rowsOf))),
    touchedRows: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    text: JSON.stringify(root, undefined, 1),
  };
}

function* walk(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* walk(child);
}

function rowsOf(node: PlanNode): number {
  const rows =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return rows * (node['Actual Loops'] ?? 1);
}

/** Returns how PostgreSQL executed the queries of functions that take a database. */
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
