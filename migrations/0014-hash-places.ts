import { type Kysely, sql } from 'kysely';

/**
 * Where transactions and blocks with a hash are, for a cluster: its tables are distributed by other columns, so a look-up
 * by hash would have to ask all workers. Empty on a single server. Existing partitions of the index get one of this table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table hash_places (
  hash8 bigint not null,
  at bigint,
  mc_seqno integer not null,
  kind smallint not null
) partition by range (mc_seqno);
create index hash_places_hash on hash_places (hash8);
create index hash_places_seqno on hash_places using brin (mc_seqno);

do $$
declare
  partition record;
begin
  for partition in
    select replace(c.relname, 'transactions_', 'hash_places_') as name, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = 'transactions'::regclass and not inhdetachpending
  loop
    execute format('create table %I partition of hash_places %s', partition.name, partition.bounds);
  end loop;
end $$;
`)
    .execute(db);
}
