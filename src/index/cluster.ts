import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { CLUSTER_LOCK, HISTORY_LOCK } from '../db/advisory-locks.ts';
import { CONNECT_TIMEOUT_MS } from '../db/connection.ts';
import { readRows, withoutTimeLimits } from '../db/driver.ts';
import { CONTRACT_TABLES } from '../db/tables/contract-tables.ts';
import type { Db, Tables } from '../db/tables/tables.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { fillHashPlaces } from './hash-places.ts';

/**
 * How tables are spread over the workers of a Citus cluster: tables of a group have the same distribution column, and
 * rows with the same value in it are on the same worker. All other tables stay on the coordinator: queues and traces
 * that are not complete, whose rows come and go and are locked, and small tables. So do domains, which every address book
 * looks up by the wallets that they resolve to.
 */
const GROUPS: readonly { readonly column: string; readonly tables: readonly (keyof Tables)[] }[] = [
  { column: 'page', tables: ['tx_pages'] },
  {
    column: 'acc8',
    tables: [
      'transactions',
      'trace_accounts',
      'action_accounts',
      'jetton_transfers',
      'jetton_burns',
      'nft_transfers',
    ],
  },
  { column: 'hash8', tables: ['messages'] },
  { column: 'trace8', tables: ['traces', 'trace_actions'] },
  { column: 'key', tables: ['action_keys'] },
  { column: 'mc_seqno', tables: ['blocks', 'shard_states'] },
  {
    column: 'account',
    tables: [
      'latest_account_states',
      'account_data',
      'account_states',
      'token_metadata',
      ...CONTRACT_TABLES.filter((table) => table !== 'dns_entries'),
    ],
  },
  { column: 'hash', tables: ['contract_codes'] },
  { column: 'pool', tables: ['nominator_pool_events', 'pool_validator_events'] },
];

/**
 * Whether the tables of a database are to be distributed: `auto` does it if the database has the extension. Throws
 * StartError if it should have it and does not.
 */
export async function findCluster(url: string, wanted: 'auto' | 'none' | 'citus'): Promise<boolean> {
  if (wanted === 'none') return false;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select from pg_extension where extname = 'citus'");
    if (rows.length > 0 || wanted === 'auto') return rows.length > 0;
  } finally {
    await client.end().catch(() => {});
  }
  throw new StartError(
    'DATABASE_CLUSTER is citus, but the database does not have the extension: run "create extension citus" on all ' +
      'nodes and add the workers, see docs/operate/scale-out.md',
  );
}

interface DistributionOptions {
  /** Shards per group of tables. */
  readonly shards: number;
  readonly log: Log;
}

/**
 * Distributes the tables that are not distributed yet, with their rows and partitions; partitions that are made later are
 * distributed with their table. Call it after migrations. An interrupted call is finished by the next one.
 */
export async function distributeTables(db: Db, { shards, log }: DistributionOptions) {
  // Moving the rows of a filled table may take long.
  await withoutTimeLimits(db, async (connection) => {
    await sql`select pg_advisory_lock(${CLUSTER_LOCK})`.execute(connection);
    try {
      const distributed = await readDistributed(connection);
      await removeLocalRows(connection);
      for (const { column, tables } of GROUPS) {
        const [first, ...others] = tables;
        const create = async (table: string, place: RawBuilder<unknown>) => {
          if (distributed.has(table)) return;
          await sql`select create_distributed_table(${table}, ${column}, ${place})`.execute(connection);
          await removeLocalRows(connection);
          log.info({ table, column }, 'Table distributed');
        };
        await create(first!, sql`colocate_with => 'none', shard_count => ${shards}::integer`);
        for (const table of others) await create(table, sql`colocate_with => ${first}`);
      }
      if (!distributed.has('hash_places')) {
        await connection.transaction().execute(distributePlaces);
        log.info({ table: 'hash_places', column: 'hash8' }, 'Table distributed');
      }
    } finally {
      await sql`select pg_advisory_unlock(${CLUSTER_LOCK})`.execute(connection).catch(() => {});
    }
  });
}

/** What was indexed before has no places yet: they are either distributed with all of them, or not at all. */
async function distributePlaces(db: Db): Promise<void> {
  // No writer of the index runs then.
  await sql`select pg_advisory_xact_lock(${HISTORY_LOCK})`.execute(db);
  await sql`truncate hash_places`.execute(db);
  await sql`select create_distributed_table('hash_places', 'hash8', colocate_with => 'messages')`.execute(db);
  await fillHashPlaces(db);
}

/** Removes the rows that tables had before they were distributed: Citus leaves them where they were, and nobody sees them. */
async function removeLocalRows(db: Db): Promise<void> {
  const rows = await readRows<{ readonly name: string }>(db)`
    select logicalrelid::text as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and pg_relation_size(logicalrelid) > 0
      and partmethod = 'h'`;
  for (const { name } of rows)
    await sql`select truncate_local_data_after_distributing_table(${name}::text::regclass)`.execute(db);
}

async function readDistributed(db: Db): Promise<ReadonlySet<string>> {
  const rows = await readRows<{ readonly name: string }>(db)`
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relnamespace = current_schema()::regnamespace and partmethod = 'h'`;
  return new Set(rows.map(({ name }) => name));
}
