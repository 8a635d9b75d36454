import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../src/cli/open-database.ts';
import { readSettings } from '../../src/config/settings.ts';
import { ensurePartitions, PARTITIONED_TABLES } from '../../src/db/partitions.ts';
import type { Log } from '../../src/lib/log.ts';
import { chainSteps, type FillStep, fillingOf } from './fill-chain.ts';
import { contractCodes, contractSteps } from './fill-contracts.ts';

/** A PostgreSQL with the generated index. */
export interface PreparedDatabase {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Increase it when the generated rows change, so that older databases are generated again. */
const GENERATION = 1;
const QUIET: Log = { info() {}, warn: console.error, error: console.error };

/** Opens the database in a folder; generates it first unless it exists with this size. */
export async function prepareDatabase(folder: string, transactions: number): Promise<PreparedDatabase> {
  const marker = join(folder, 'filled.json');
  const wanted = JSON.stringify({ transactions, generation: GENERATION });
  const exists = existsSync(marker) && readFileSync(marker, 'utf8') === wanted;
  if (!exists) rmSync(join(folder, 'data'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
  chmodSync(folder, 0o755);
  const settings = readSettings({ NETWORK: 'localnet', DATA_DIR: join(folder, 'data') });
  const { url, close } = await openDatabase(settings, QUIET);
  try {
    if (!exists) await fill(url, transactions);
    writeFileSync(marker, wanted);
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(url: string, transactions: number): Promise<void> {
  const filling = fillingOf(transactions);
  const codes = contractCodes();
  const hashes = codes.map(({ hash }) => hash);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const startedMs = performance.now();
  const reportProgress = (what: string) =>
    console.error(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(7)} s  ${what}`);
  const run = async (steps: readonly FillStep[]) => {
    for (const [at, { what, statement }] of steps.entries()) {
      await client.query(statement);
      if (steps[at + 1]?.what !== what) reportProgress(what);
    }
  };
  try {
    await client.query(
      `set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'`,
    );
    await ensurePartitions(client, {
      from: 0,
      to: filling.seqnos - 1,
      width: filling.partitionSeqnos,
    });
    reportProgress('partitions');
    for (const { hash, boc, methods } of new Map(
      codes.map((code) => [code.hash.toString('hex'), code]),
    ).values())
      await client.query('insert into contract_codes values ($1, $2, $3)', [hash, boc, methods]);
    const indexes = await dropIndexes(client);
    const chain = chainSteps(filling, hashes);
    await run(chain);
    // The contract steps join transactions and need their indexes.
    await run(indexes);
    await run(contractSteps(filling, hashes));
    await client.query('vacuum analyze');
    reportProgress('statistics');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Drops the indexes, because creating them after the rows is much faster; returns the steps that create them again. */
async function dropIndexes(client: pg.Client): Promise<FillStep[]> {
  const { rows } = await client.query<{
    table: string;
    index: string;
    definition: string;
    key: string | null;
  }>(
    `select tables.relname as table, indexes.relname as index, pg_get_indexdef(indexes.oid) as definition,
            pg_get_constraintdef(pg_constraint.oid) as key
     from pg_index join pg_class tables on tables.oid = indrelid join pg_class indexes on indexes.oid = indexrelid
     left join pg_constraint on conindid = indexes.oid
     where tables.relname = any($1) and indexes.relname <> 'messages_pkey' order by 1, 4 desc nulls last, 2`,
    [PARTITIONED_TABLES],
  );
  const steps: FillStep[] = [];
  for (const { table, index, definition, key } of rows) {
    await client.query(
      key === null ? `drop index ${index}` : `alter table ${table} drop constraint ${index}`,
    );
    // `ON ONLY` would leave out the partitions.
    const statement =
      key === null
        ? definition.replace(' ON ONLY ', ' ON ')
        : `alter table ${table} add constraint ${index} ${key}`;
    steps.push({ what: `indexes of ${table}`, statement });
  }
  return steps;
}
