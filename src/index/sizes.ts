import { sql } from 'kysely';
import { isCluster, readRows } from '../db/driver.ts';
import { CONTRACT_TABLES } from '../db/tables/contract-tables.ts';
import type { Db, Tables } from '../db/tables/tables.ts';
import { VALIDATOR_TABLES } from '../db/tables/validator-tables.ts';
import { PARTITIONED_TABLES, startOfPartition } from './partitions.ts';

/** The size of an index table, all partitions together. */
export interface TableSize {
  readonly table: string;
  /** Rows as estimated by the last analyze of each partition; small tables that were never analyzed are counted. */
  readonly rows: number;
  /** The rows, including TOAST. */
  readonly heapBytes: number;
  readonly indexBytes: number;
  readonly bytes: number;
  /** Undefined without transactions. */
  readonly bytesPerMillionTransactions: number | undefined;
}

export interface PartitionSize {
  readonly start: number;
  readonly bytes: number;
}

/** Index tables that are not partitioned. */
export const UNPARTITIONED_TABLES = [
  'open_traces',
  'open_members',
  'pending_messages',
  'orphan_messages',
  'account_states',
  'latest_account_states',
  'contract_codes',
  'account_data',
  'missing_cells',
  ...CONTRACT_TABLES,
  'waiting_events',
  'token_metadata',
  'nominator_pool_events',
  'pool_validator_events',
  'waiting_pools',
  'mintless_dumps',
  'action_slices',
  'unclassified_traces',
  'classification_ranges',
  'classification_faults',
  'waiting_traces',
  'state_imports',
  ...VALIDATOR_TABLES,
] as const satisfies readonly (keyof Tables)[];

/** A table that was never analyzed is counted if it has at most this many bytes. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;

interface PieceRow {
  readonly table: string;
  readonly piece: string;
  readonly estimate: number;
  readonly heap: string;
  readonly indexes: string;
}

/** Reads the sizes of all index tables, largest first. */
export async function readIndexSizes(db: Db): Promise<TableSize[]> {
  const sums = new Map<string, { rows: number; heapBytes: number; indexBytes: number }>();
  for (const table of [...PARTITIONED_TABLES, ...UNPARTITIONED_TABLES]) {
    sums.set(table, { rows: 0, heapBytes: 0, indexBytes: 0 });
  }
  for (const piece of await pieces(db)) {
    const sum = sums.get(piece.table)!;
    sum.rows += await rowsOf(db, piece);
    sum.heapBytes += Number(piece.heap);
    sum.indexBytes += Number(piece.indexes);
  }
  const transactions = sums.get('transactions')!.rows;
  return [...sums]
    .map(([table, sum]) => toTableSize(table, sum, transactions))
    .sort((a, b) => b.bytes - a.bytes || (a.table < b.table ? -1 : 1));
}

/** Reads the sizes of partitions by their first seqno, oldest first. */
export async function readPartitionSizes(db: Db): Promise<PartitionSize[]> {
  const sums = new Map<number, number>();
  for (const piece of await pieces(db)) {
    if (piece.piece === piece.table) continue;
    const start = startOfPartition(piece.piece);
    sums.set(start, (sums.get(start) ?? 0) + Number(piece.heap) + Number(piece.indexes));
  }
  return [...sums].map(([start, bytes]) => ({ start, bytes })).sort((a, b) => a.start - b.start);
}

/** Partitions, and tables without partitions; `reltuples` is -1 before the first analyze. */
async function pieces(db: Db): Promise<PieceRow[]> {
  const isSpread = isCluster(db);
  return readRows<PieceRow>(db)`
    ${isSpread ? SHARDS : sql``}
    select coalesce(p.relname, c.relname) as table, c.relname as piece, ${isSpread ? CLUSTER_SIZE : LOCAL_SIZE}
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
      ${isSpread ? sql`left join spread on spread.oid = c.oid` : sql``}
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and (p.relname = any(${[...PARTITIONED_TABLES]}) or (p.oid is null and c.relname = any(${[...UNPARTITIONED_TABLES]})))
    `;
}

const LOCAL_SIZE = sql`
  c.reltuples as estimate, pg_table_size(c.oid) as heap, pg_indexes_size(c.oid) as indexes`;
const CLUSTER_SIZE = sql`
  coalesce(spread.estimate, c.reltuples) as estimate, coalesce(spread.heap, pg_table_size(c.oid)) as heap,
  coalesce(spread.indexes, pg_indexes_size(c.oid)) as indexes`;

/**
 * The sizes of distributed tables. Each worker is asked once for all its shards, whose names end with their ids: there may
 * be many thousands. Shards that were never analyzed count as empty ones, unless the table is small.
 */
const SHARDS = sql`with shard as (
    select (one ->> 0)::bigint as shardid, (one ->> 1)::float8 as estimate, (one ->> 2)::bigint as heap,
      (one ->> 3)::bigint as indexes
    from run_command_on_workers($$
      select coalesce(json_agg(json_build_array(substring(relname from '_([0-9]+)$'), reltuples,
        pg_table_size(oid), pg_indexes_size(oid))), '[]')
      from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace$$) worker
      cross join json_array_elements(case when success then worker.result::json end) one
  ), spread as (
    select logicalrelid::oid as oid, sum(heap)::bigint as heap, sum(indexes)::bigint as indexes,
      case when min(estimate) < 0 and sum(heap) <= ${sql.lit(MAX_COUNTED_BYTES)} then -1
        else sum(greatest(estimate, 0)) end as estimate
    from pg_dist_shard join shard using (shardid) group by logicalrelid
  )`;

async function rowsOf(db: Db, { piece, estimate, heap }: PieceRow): Promise<number> {
  if (estimate >= 0) return Math.round(estimate);
  if (Number(heap) > MAX_COUNTED_BYTES) return 0;
  const rows = await readRows<{ count: string }>(db)`select count(*) from ${sql.table(piece)}`;
  return Number(rows[0]?.count);
}

function toTableSize(
  table: string,
  { rows, heapBytes, indexBytes }: { rows: number; heapBytes: number; indexBytes: number },
  transactions: number,
): TableSize {
  const bytes = heapBytes + indexBytes;
  const perMillion = transactions === 0 ? undefined : Math.round((bytes * 1e6) / transactions);
  return { table, rows, heapBytes, indexBytes, bytes, bytesPerMillionTransactions: perMillion };
}

/** Size of the whole database in bytes; on a cluster, of all its nodes. */
export async function readDatabaseBytes(db: Db): Promise<number> {
  const size = sql`select pg_database_size(current_database())::float8 as bytes`;
  const ofAllNodes = sql`
    select sum(result::float8) as bytes
    from run_command_on_all_nodes('select pg_database_size(current_database())') where success`;
  const rows = await readRows<{ readonly bytes: number }>(db)`${isCluster(db) ? ofAllNodes : size}`;
  return rows[0]!.bytes;
}
