import { type Kysely, sql } from 'kysely';

/**
 * The index. Large tables are partitioned by masterchain seqno (`src/index/partitions.ts` creates partitions as blocks
 * arrive), so that indexes stay small and old history can be dropped. Accounts are 33 bytes: the workchain as one signed
 * byte, then the hash. Transactions and messages are in `tx_pages`; the tables of that name hold what they are found by.
 * Columns that end in 8 are prefixes of accounts and hashes (`src/index/format/position.ts`), which are never unique. `at` is the
 * position of a transaction in `tx_pages`; a page is numbered after the seqno of its first transaction, so its partitions
 * have the same borders as those of the other tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create type account_status as enum ('uninit', 'frozen', 'active', 'nonexist');

create table blocks (
  mc_seqno integer not null,
  workchain integer not null,
  shard bigint not null,
  seqno integer not null,
  root_hash bytea not null,
  file_hash bytea not null,
  gen_utime bigint not null,
  start_lt bigint not null,
  end_lt bigint not null,
  global_id integer not null,
  version bigint not null,
  flags smallint not null,
  after_merge boolean not null,
  before_split boolean not null,
  after_split boolean not null,
  want_merge boolean not null,
  want_split boolean not null,
  key_block boolean not null,
  vert_seqno_incr boolean not null,
  validator_list_hash_short integer not null,
  gen_catchain_seqno bigint not null,
  min_ref_mc_seqno bigint not null,
  prev_key_block_seqno bigint not null,
  vert_seqno bigint not null,
  master_ref_seqno bigint not null,
  rand_seed bytea not null,
  created_by bytea not null,
  tx_count integer not null,
  prev_shards bigint[] not null,
  prev_seqnos integer[] not null,
  primary key (mc_seqno, workchain, shard, seqno)
) partition by range (mc_seqno);
create index blocks_seqno on blocks (seqno, workchain, shard);
create index blocks_gen_utime on blocks (gen_utime, workchain, shard, seqno);
create index blocks_start_lt on blocks (start_lt);
create index blocks_root_hash on blocks (substring(root_hash, 1, 8));
create index blocks_file_hash on blocks (substring(file_hash, 1, 8));

create table shard_states (
  mc_seqno integer not null primary key,
  workchains integer[] not null,
  shards bigint[] not null,
  seqnos integer[] not null
) partition by range (mc_seqno);

create table transactions (
  acc8 bigint not null,
  lt bigint not null,
  hash8 bigint not null,
  in8 bigint,
  at bigint not null,
  now integer not null,
  mc_seqno integer not null
) partition by range (mc_seqno);
create index transactions_account on transactions (acc8, lt);
create index transactions_hash on transactions (hash8);
create index transactions_in on transactions (in8) where in8 is not null;
create index transactions_lt on transactions (lt);

create table tx_pages (
  page bigint not null primary key,
  last_seqno integer not null,
  count smallint not null,
  traces bytea not null,
  body bytea not null
) partition by range (page);
alter table tx_pages alter column body set storage external;

create table messages (
  hash8 bigint not null,
  src8 bigint,
  dst8 bigint,
  body8 bigint not null,
  lt bigint not null,
  at bigint not null,
  created_at integer,
  opcode integer,
  mc_seqno integer not null,
  ordinal smallint not null
) partition by range (mc_seqno);
create index messages_hash on messages (hash8);
create index messages_source on messages (src8, lt) where src8 is not null;
create index messages_destination on messages (dst8, lt) where dst8 is not null;
create index messages_body on messages (body8, lt);
create index messages_opcode on messages (opcode, lt) where opcode is not null;
create index messages_lt on messages (lt);
`)
    .execute(db);
}
