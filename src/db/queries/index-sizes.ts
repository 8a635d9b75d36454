import { type Kysely, sql } from 'kysely';
import { isCluster } from '../cluster-dialect.ts';
import { CONTRACT_TABLES } from '../contract-tables.ts';
import { PARTITIONED_TABLES, startOfPartition } from '../partitions.ts';
import type { Tables } from '../tables.ts';
import { VALIDATOR_TABLES } from '../validator-tables.ts';

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

/** The total size of the partitions that start at a seqno. */
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
export async function readIndexSizes(db: Kysely<Tables>): Promise<TableSize[]> {
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
export async function readPartitionSizes(db: Kysely<Tables>): Promise<PartitionSize[]> {
  const sums = new Map<number, number>();
  for (const piece of await pieces(db)) {
    if (piece.piece === piece.table) continue;
    const start = startOfPartition(piece.piece);
    sums.set(start, (sums.get(start) ?? 0) + Number(piece.heap) + Number(piece.indexes));
  }
  return [...sums].map(([start, bytes]) => ({ start, bytes })).sort((a, b) => a.start - b.start);
}

const LOCAL_SIZE = sql`
  c.reltuples as estimate, pg_table_size(c.oid) as heap, pg_indexes_size(c.oid) as indexes`;
/** The shards of distributed tables together; what was never analyzed has the estimate of an empty table. */
const CLUSTER_SIZE = sql`
  case when d.oid is null then c.reltuples
    else (select sum(result::float8) from run_command_on_shards(d.oid,
      'select greatest(reltuples, 0) from pg_class where oid = %L::regclass')) end as estimate,
  case when d.oid is null then pg_table_size(c.oid) else citus_table_size(d.oid) end as heap,
  case when d.oid is null then pg_indexes_size(c.oid)
    else citus_total_relation_size(d.oid) - citus_table_size(d.oid) end as indexes`;
const DISTRIBUTED = sql`left join pg_class d on d.oid = c.oid and exists (
  select from pg_dist_partition where logicalrelid = c.oid)`;

/** Partitions, and tables without partitions; `reltuples` is -1 before the first analyze. */
async function pieces(db: Kysely<Tables>): Promise<PieceRow[]> {
  const size = isCluster(db) ? CLUSTER_SIZE : LOCAL_SIZE;
  const { rows } = await sql<PieceRow>`
    select coalesce(p.relname, c.relname) as table, c.relname as piece, ${size}
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
      ${isCluster(db) ? DISTRIBUTED : sql``}
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and (p.relname = any(${[...PARTITIONED_TABLES]}) or (p.oid is null and c.relname = any(${[...UNPARTITIONED_TABLES]})))
    `.execute(db);
  return rows;
}

async function rowsOf(db: Kysely<Tables>, { piece, estimate, heap }: PieceRow): Promise<number> {
  if (estimate >= 0) return Math.round(estimate);
  if (Number(heap) > MAX_COUNTED_BYTES) return 0;
  const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(piece)}`.execute(db);
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
