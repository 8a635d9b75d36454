import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { KEPT_PLAN } from '../../../src/db/client.ts';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { isTestCluster, type TestDatabase } from '../../support/database.ts';

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

/** What the statements of some work may do. */
interface PlanLimits {
  /** Rows that each of them touches or sorts must be fewer. */
  readonly rows: number;
  /** Maximum number of statements. */
  readonly statements?: number;
  /** Tables too small to be worth an index. */
  readonly small?: RegExp;
}

/** Opens a database for the tests of a file, whose queries are run on a connection of their own. */
export function usePlans(open: () => Promise<TestDatabase>) {
  let test: TestDatabase | undefined;
  let reader: ReturnType<typeof openPlans> | undefined;
  beforeAll(async () => {
    test = await open();
    reader = openPlans(test.url);
  });
  afterAll(async () => {
    await reader?.close();
    await test?.drop();
  });
  /** The result of some work, and the plans of all queries that it sends; on a cluster there are none. */
  async function run<T>(work: Work<T>): Promise<Ran<T>> {
    return isTestCluster() ? { result: await work(test!.database.primary), plans: [] } : reader!.run(work);
  }
  return {
    get test() {
      return test!;
    },
    get db() {
      return reader!.db;
    },
    run,
    /** The same, where no statement may read a table from end to end, or touch or sort many rows. */
    async expectFewRows<T>(work: Work<T>, { rows, statements, small }: PlanLimits) {
      const ran = await run(work);
      expect(ran.plans.length).toBeLessThanOrEqual(statements ?? Number.POSITIVE_INFINITY);
      for (const { seqScans, sortedRows, touchedRows, text } of ran.plans) {
        expect(
          seqScans.filter((table) => !small?.test(table)),
          text,
        ).toEqual([]);
        expect(sortedRows, text).toBeLessThan(rows);
        expect(touchedRows, text).toBeLessThan(rows);
      }
      return ran;
    },
  };
}

type Work<T> = (db: Kysely<Tables>) => Promise<T>;

interface Ran<T> {
  readonly result: T;
  readonly plans: readonly QueryPlan[];
}

/** Runs queries on a connection of its own and returns how PostgreSQL executed them. */
function openPlans(url: string) {
  const captured: CompiledQuery[] = [];
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // The pool does not wait until its connection is closed: dropping the database may close it first.
  pool.on('error', () => {});
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      captured.push(query);
    },
  });

  async function planOf(query: string, values: readonly unknown[] = []): Promise<QueryPlan> {
    const isKept = query.startsWith(KEPT_PLAN.compile(db).sql);
    const { rows } = isKept ? await explainKept(query, values) : await explain(query, [...values]);
    return readPlan(rows[0]['QUERY PLAN'][0].Plan as PlanNode, await isOld());
  }

  function explain(query: string, values: unknown[] = []) {
    return pool.query(`explain (analyze, timing off, format json) ${query}`, values);
  }

  /** With a plan that does not know the values, as servers have it. */
  async function explainKept(query: string, values: readonly unknown[]) {
    await pool.query('set local plan_cache_mode = force_generic_plan');
    await pool.query(`prepare kept as ${query}`);
    const literals = values.map((value) => literalOf(value)).join();
    const plan = await explain(`execute kept${literals === '' ? '' : `(${literals})`}`);
    await pool.query('deallocate kept');
    await pool.query('set local plan_cache_mode = auto');
    return plan;
  }

  /** Before version 17 looking up many values in an index costs more than reading a small table. */
  async function isOld(): Promise<boolean> {
    const { rows } = await pool.query(
      "select current_setting('server_version_num')::integer < 170000 as old",
    );
    return rows[0].old;
  }

  return {
    db,
    async run<T>(work: Work<T>): Promise<Ran<T>> {
      // Planner settings apply to one transaction.
      await pool.query('begin');
      captured.length = 0;
      const result = await work(db);
      await pool.query('rollback');
      const plans: QueryPlan[] = [];
      await pool.query('begin');
      for (const { sql, parameters } of captured) {
        if (sql.startsWith('set')) await pool.query(sql);
        else plans.push(await planOf(sql, parameters));
      }
      await pool.query('rollback');
      return { result, plans };
    },
    close: () => db.destroy(),
  };
}

/** Converts a parameter to what the driver sends: a text, bytes or null. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/** A parameter as text in SQL, of no type yet. */
function literalOf(value: unknown): string {
  const sent = prepareValue(value);
  if (sent === null) return 'null';
  return pg.escapeLiteral(Buffer.isBuffer(sent) ? `\\x${sent.toString('hex')}` : String(sent));
}

/** So many rows are read from end to end by old versions. */
const FEW_ROWS = 200;

function readPlan(root: PlanNode, isOld: boolean): QueryPlan {
  const nodes = [...walk(root)];
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
  const sorts = nodes.filter((node) => node['Node Type'] === 'Sort');
  return {
    seqScans: scans
      .filter((node) => node['Node Type'] === 'Seq Scan' && !(isOld && rowsOf(node) < FEW_ROWS))
      .map((node) => node['Relation Name']!),
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
