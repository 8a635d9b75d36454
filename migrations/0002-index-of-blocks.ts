import { type Kysely, sql } from 'kysely';

/**
 * The index. Large tables are partitioned by masterchain seqno (`src/db/partitions.ts` creates partitions as blocks
 * arrive), so that indexes stay small and old history can be dropped. Accounts are 33 bytes: the workchain as one signed
 * byte, then the hash. Every key contains `mc_seqno` (for partitions) and, if rows belong to an account, `account` (for
 * distribution over several servers). `at` is the position of a transaction in `tx_pages`; a page is numbered after the
 * seqno of its first transaction, so its partitions have the same borders as those of the other tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create type account_status as enum ('uninit', 'frozen', 'active', 'nonexist');
create type status_change as enum ('unchanged', 'frozen', 'deleted');
create type transaction_kind as enum
  ('ord', 'storage', 'tick_tock', 'split_prepare', 'split_install', 'merge_prepare', 'merge_install');
create type skip_reason as enum ('no_state', 'bad_state', 'no_gas', 'suspended');
create type bounce_kind as enum ('negfunds', 'nofunds', 'ok');

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
create index blocks_root_hash on blocks (root_hash);
create index blocks_file_hash on blocks (file_hash);

create table shard_states (
  mc_seqno integer not null primary key,
  workchains integer[] not null,
  shards bigint[] not null,
  seqnos integer[] not null
) partition by range (mc_seqno);

create table transactions (
  trace_id bytea not null,
  at bigint,
  account bytea not null,
  lt bigint not null,
  hash bytea not null,
  mc_seqno integer not null,
  block_shard bigint not null,
  block_seqno integer not null,
  prev_hash bytea not null,
  prev_lt bigint not null,
  now bigint not null,
  kind transaction_kind not null,
  orig_status account_status not null,
  end_status account_status not null,
  total_fees numeric not null,
  total_fees_extra jsonb,
  state_hash_before bytea not null,
  state_hash_after bytea not null,
  balance numeric,
  balance_extra jsonb,
  code_hash bytea,
  data_hash bytea,
  frozen_hash bytea,
  aborted boolean,
  destroyed boolean,
  credit_first boolean,
  is_tock boolean,
  installed boolean,
  storage_fees_collected numeric,
  storage_fees_due numeric,
  storage_status_change status_change,
  credit_due_fees_collected numeric,
  credit numeric,
  credit_extra jsonb,
  compute_skipped boolean,
  compute_skip_reason skip_reason,
  compute_success boolean,
  compute_msg_state_used boolean,
  compute_account_activated boolean,
  compute_gas_fees numeric,
  compute_gas_used bigint,
  compute_gas_limit bigint,
  compute_gas_credit integer,
  compute_mode smallint,
  compute_exit_code integer,
  compute_exit_arg integer,
  compute_vm_steps bigint,
  compute_vm_init_state_hash bytea,
  compute_vm_final_state_hash bytea,
  action_success boolean,
  action_valid boolean,
  action_no_funds boolean,
  action_status_change status_change,
  action_total_fwd_fees numeric,
  action_total_action_fees numeric,
  action_result_code integer,
  action_result_arg integer,
  action_tot_actions integer,
  action_spec_actions integer,
  action_skipped_actions integer,
  action_msgs_created integer,
  action_list_hash bytea,
  action_tot_msg_size_cells bigint,
  action_tot_msg_size_bits bigint,
  bounce bounce_kind,
  bounce_msg_size_cells bigint,
  bounce_msg_size_bits bigint,
  bounce_req_fwd_fees numeric,
  bounce_msg_fees numeric,
  bounce_fwd_fees numeric,
  split_cur_shard_pfx_len smallint,
  split_acc_split_depth smallint,
  split_this_addr bytea,
  split_sibling_addr bytea,
  primary key (account, lt, mc_seqno)
) partition by range (mc_seqno);
create index transactions_hash on transactions (hash);
create index transactions_trace on transactions (trace_id, lt);
create index transactions_lt on transactions (lt);
create index transactions_now on transactions (now);
create index transactions_mc_seqno on transactions (mc_seqno, lt);

create table tx_pages (
  page bigint not null primary key,
  last_seqno integer not null,
  count smallint not null,
  traces bytea not null,
  body bytea not null
) partition by range (page);
alter table tx_pages alter column body set storage external;

create table messages (
  at bigint,
  account bytea not null,
  tx_lt bigint not null,
  ordinal smallint not null,
  mc_seqno integer not null,
  hash bytea not null,
  hash_norm bytea,
  peer bytea,
  lt bigint not null,
  created_at bigint,
  value numeric,
  value_extra jsonb,
  fwd_fee numeric,
  ihr_fee numeric,
  extra_flags numeric,
  import_fee numeric,
  opcode integer,
  ihr_disabled boolean,
  bounce boolean,
  bounced boolean,
  body_hash bytea not null,
  init_hash bytea,
  primary key (account, tx_lt, ordinal, mc_seqno)
) partition by range (mc_seqno);
create index messages_hash on messages (hash);
create index messages_hash_norm on messages (hash_norm) where hash_norm is not null;
create index messages_body_hash on messages (body_hash, lt);
create index messages_opcode on messages (opcode, lt) where opcode is not null;
create index messages_from_peer on messages (peer, lt) where peer is not null and ordinal = 0;
create index messages_to_peer on messages (peer, lt) where peer is not null and ordinal > 0;
create index messages_received on messages (account, lt) where ordinal = 0;
create index messages_lt on messages (lt);
create index messages_created_at on messages (created_at) where created_at is not null;
`)
    .execute(db);
}
