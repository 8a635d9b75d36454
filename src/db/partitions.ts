import { type Kysely, sql } from 'kysely';
import { PARTITION_LOCK } from './advisory-locks.ts';
import type { Tables } from './tables.ts';

/** Tables that are cut by masterchain seqno; a partition is named after the first seqno that it may hold. */
export const PARTITIONED_TABLES = [
  'blocks',
  'shard_states',
  'transactions',
  'messages',
  'message_contents',
  'traces',
  'trace_accounts',
  'jetton_transfers',
  'jetton_burns',
  'nft_transfers',
  'actions',
  'action_accounts',
] as const;

/** One connection or a pool, as pg has them. */
export interface QueryClient {
  query(text: string): Promise<unknown>;
}

export interface PartitionRange {
  /** Masterchain seqnos, both included. */
  readonly from: number;
  readonly to: number;
  /** Seqnos a partition: `index_origin.partition_seqnos`. */
  readonly width: number;
  /** First seqnos of partitions that the caller has seen; those are not looked for again, new ones are added. */
  readonly known?: Set<number>;
}

const NAME_DIGITS = 12;

/**
 * Makes the partitions of all tables for a range of seqnos, where there are none yet. Not for the middle of a
 * transaction: it would keep the lock, and others that need a partition would wait for its end. When a row finds no
 * partition although it was known (another process has dropped it), clear `known` and call again.
 */
export async function ensurePartitions(
  db: Kysely<Tables> | QueryClient,
  { from, to, width, known = new Set() }: PartitionRange,
): Promise<void> {
  for (let start = partitionStart(from, width); start <= to; start += width) {
    if (known.has(start)) continue;
    await run(db, makePartitions(start, width));
    known.add(start);
  }
}

/** The first seqno of the partition that holds a seqno. */
export function partitionStart(seqno: number, width: number): number {
  return seqno - (seqno % width);
}

/** The name of the partition of a table that begins with a seqno. */
export function partitionName(table: string, start: number): string {
  return `${table}_p${String(start).padStart(NAME_DIGITS, '0')}`;
}

/** The first seqno of a partition, by its name. */
export function startOfPartition(name: string): number {
  return Number(name.slice(-NAME_DIGITS));
}

/**
 * One statement, so one transaction on any connection. `create table … partition of` would lock out all readers of the
 * table until it is its turn; a table that is made alone and attached locks out only other changes of the schema. A
 * table that stands alone under the name of a partition was being dropped when a process ended.
 */
function makePartitions(start: number, width: number): string {
  const names = PARTITIONED_TABLES.map((table) => `'${partitionName(table, start)}'`).join(', ');
  const steps = PARTITIONED_TABLES.map((table) => {
    const name = partitionName(table, start);
    return `
  if not exists (select from pg_inherits where inhrelid = to_regclass('${name}') and not inhdetachpending) then
    if exists (select from pg_inherits where inhrelid = to_regclass('${name}')) then
      alter table ${table} detach partition ${name} finalize;
    end if;
    if to_regclass('${name}') is not null then drop table ${name}; end if;
    create table ${name} (like ${table} including all);
    alter table ${table} attach partition ${name} for values from (${start}) to (${start + width});
  end if;`;
  });
  return `do $$
begin
  if (select count(*) from pg_inherits join pg_class on pg_class.oid = inhrelid
      where relname in (${names}) and relnamespace = current_schema()::regnamespace
        and not inhdetachpending) = ${PARTITIONED_TABLES.length}
  then return; end if;
  perform pg_advisory_xact_lock(${PARTITION_LOCK});
  ${steps.join('')}
end $$`;
}

async function run(db: Kysely<Tables> | QueryClient, text: string): Promise<void> {
  if ('query' in db) await db.query(text);
  else await sql.raw(text).execute(db);
}
