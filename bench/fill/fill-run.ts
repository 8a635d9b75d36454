import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Tables } from '../../src/db/tables/tables.ts';
import { wipeIndex } from '../../src/index/coverage.ts';
import { PARTITIONED_TABLES } from '../../src/index/partitions.ts';
import { type FillOptions, ORIGIN_SEQNO } from './plan.ts';
import type { Samples } from './samples.ts';

/** An error that the user can mend. */
export class FillError extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'FillError';
  }
}

/** Everything that tells one filled index from another. */
export type RunOptions = FillOptions & { readonly actions: boolean };

/** How far a fill has come: the only row of the table `fill.run`. */
export interface FillRun {
  readonly options: RunOptions;
  /** The indexes that were dropped and must be created at the end; null as long as none were. */
  readonly indexes: readonly DroppedIndex[] | null;
  /** Set at the end. */
  readonly samples: Samples | null;
}

interface DroppedIndex {
  readonly table: string;
  /** Creates it. */
  readonly statement: string;
}

interface OpenOptions {
  readonly options: RunOptions;
  /** Whether an index that was filled with other options is replaced. */
  readonly restart: boolean;
}

/** Held while an index is filled. */
const FILL_LOCK = 7_341_902;

/**
 * Finds out how far the database was filled with the same options, or notes that it will be. Throws a FillError if it holds
 * anything else, or another process is at it. The client must stay open.
 */
export async function openRun(
  client: pg.Client,
  db: Kysely<Tables>,
  { options, restart }: OpenOptions,
): Promise<FillRun> {
  const locked = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
    FILL_LOCK,
  ]);
  if (!locked.rows[0]!.free) throw new FillError('Another process is filling this database');
  await client.query(`create schema if not exists fill;
    create table if not exists fill.run (options jsonb not null, indexes jsonb, samples jsonb)`);
  const { rows } = await client.query<FillRun>('select options, indexes, samples from fill.run');
  const [run] = rows;
  if (run !== undefined && isSame(run.options, options)) return run;
  const { rowCount: origins } = await client.query('select from index_origin');
  if (run === undefined && origins !== 0)
    throw new FillError('The database holds an index that was not generated; use another database');
  if (run !== undefined && !restart)
    throw new FillError(
      `The database was filled with ${JSON.stringify(run.options)}; use another one, or --restart to replace it`,
    );
  await wipeIndex(db);
  await dropPartitions(client);
  for (const index of run?.indexes ?? []) await createIndex(client, index);
  await client.query('delete from fill.run');
  await client.query('insert into fill.run (options) values ($1)', [JSON.stringify(options)]);
  return { options, indexes: null, samples: null };
}

function isSame(a: RunOptions, b: RunOptions): boolean {
  return (Object.keys(b) as (keyof RunOptions)[]).every((name) => a[name] === b[name]);
}

/** The width of the partitions may change. */
async function dropPartitions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid join pg_class p on p.oid = inhparent
     where p.relname = any($1) and c.relkind = 'r'`,
    [PARTITIONED_TABLES],
  );
  for (const { name } of rows) await client.query(`drop table ${name}`);
}

/**
 * Drops the indexes of partitioned tables, because creating them after the rows is much faster. Unique ones stay: the writer
 * relies on them.
 */
export async function dropIndexes(client: pg.Client): Promise<readonly DroppedIndex[]> {
  const { rows } = await client.query<DroppedIndex & { index: string }>(
    `select tables.relname as table, indexes.relname as index,
            replace(replace(pg_get_indexdef(indexes.oid), ' ON ONLY ', ' ON '),
              'CREATE INDEX ', 'CREATE INDEX IF NOT EXISTS ') as statement
     from pg_index join pg_class tables on tables.oid = indrelid join pg_class indexes on indexes.oid = indexrelid
     where tables.relname = any($1) and not indisunique order by 1, 2`,
    [PARTITIONED_TABLES],
  );
  const dropped = rows.map(({ table, statement }) => ({ table, statement }));
  await client.query('begin');
  await client.query('update fill.run set indexes = $1', [JSON.stringify(dropped)]);
  for (const { index } of rows) await client.query(`drop index ${index}`);
  await client.query('commit');
  return dropped;
}

/** Creates a dropped index unless it exists already. */
export async function createIndex(client: pg.Client, { statement }: DroppedIndex): Promise<void> {
  await client.query(statement);
}

/** Notes that the index is complete: one chunk takes the place of those of the batches. */
export async function finishRun(client: pg.Client, { seqnos }: FillOptions, samples: Samples): Promise<void> {
  await client.query('begin');
  await client.query('delete from index_chunks');
  await client.query('insert into index_chunks (first_seqno, last_seqno, done_seqno) values ($1, $2, $2)', [
    ORIGIN_SEQNO,
    ORIGIN_SEQNO + seqnos,
  ]);
  await client.query('update fill.run set samples = $1', [JSON.stringify(samples)]);
  await client.query('commit');
}
