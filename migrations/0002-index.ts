import { type Kysely, sql } from 'kysely';

/**
 * The index. Big tables are partitioned by masterchain seqno (partitions are made by `src/db/partitions.ts` as blocks
 * come), so that indexes stay small and old history can be dropped. Accounts are 33 bytes: the workchain as one signed
 * byte, then the hash. Every key has `mc_seqno` (partitions) and, where rows belong to an account, `account`
 * (distribution over several servers) in it.
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
create index blocks_seqno on blocks (workchain, shard, seqno);
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

create table messages (
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

create table message_contents (
  hash bytea not null,
  part integer not null,
  boc bytea not null,
  primary key (hash, part)
) partition by range (part);

create table traces (
  trace_id bytea not null,
  external_hash bytea,
  external_hash_norm bytea,
  mc_seqno_start integer not null,
  mc_seqno_end integer not null,
  start_lt bigint not null,
  start_utime bigint not null,
  end_lt bigint not null,
  end_utime bigint not null,
  nodes integer not null,
  edges integer not null,
  primary key (trace_id, mc_seqno_end)
) partition by range (mc_seqno_end);
create index traces_end_lt on traces (end_lt, trace_id);
create index traces_end_utime on traces (end_utime, trace_id);
create index traces_mc_seqno_end on traces (mc_seqno_end, end_lt);
create index traces_external_hash on traces (external_hash) where external_hash is not null;
create index traces_external_hash_norm on traces (external_hash_norm) where external_hash_norm is not null;

create table trace_accounts (
  account bytea not null,
  end_lt bigint not null,
  trace_id bytea not null,
  mc_seqno_end integer not null,
  end_utime bigint not null,
  primary key (account, end_lt, trace_id, mc_seqno_end)
) partition by range (mc_seqno_end);

create table open_traces (
  trace_id bytea not null primary key,
  external_hash bytea,
  external_hash_norm bytea,
  mc_seqno_start integer not null,
  mc_seqno_end integer not null,
  start_lt bigint not null,
  start_utime bigint not null,
  end_lt bigint not null,
  end_utime bigint not null,
  nodes integer not null,
  edges integer not null,
  pending_edges integer not null,
  broken boolean not null
);
create index open_traces_external_hash on open_traces (external_hash) where external_hash is not null;
create index open_traces_external_hash_norm on open_traces (external_hash_norm) where external_hash_norm is not null;
create index open_traces_end_lt on open_traces (end_lt, trace_id);

create table pending_messages (
  hash bytea not null primary key,
  trace_id bytea not null,
  mc_seqno integer not null
);
create index pending_messages_trace on pending_messages (trace_id);

create table orphan_messages (
  hash bytea not null primary key,
  trace_id bytea not null,
  mc_seqno integer not null
);
create index orphan_messages_trace on orphan_messages (trace_id);

create table account_states (
  account bytea not null,
  hash bytea not null,
  balance numeric not null,
  balance_extra jsonb,
  status account_status not null,
  code_hash bytea,
  data_hash bytea,
  frozen_hash bytea,
  primary key (account, hash)
);

create table latest_account_states (
  account bytea not null primary key,
  hash bytea not null,
  status account_status not null,
  balance numeric not null,
  balance_extra jsonb,
  code_hash bytea,
  data_hash bytea,
  frozen_hash bytea,
  last_trans_lt bigint not null,
  last_trans_hash bytea not null,
  timestamp bigint not null,
  mc_seqno integer not null
);
create index latest_account_states_balance on latest_account_states (balance desc, account);
create index latest_account_states_code on latest_account_states (code_hash) where code_hash is not null;

create table contract_codes (
  hash bytea not null primary key,
  boc bytea not null,
  methods bigint[]
);

create table account_data (
  account bytea not null primary key,
  hash bytea not null,
  boc bytea not null
);

create table missing_cells (
  account bytea not null primary key,
  last_trans_lt bigint not null,
  tries integer not null default 0,
  next_try timestamptz not null default now()
);
create index missing_cells_next_try on missing_cells (next_try);

create table index_origin (
  only_row boolean not null primary key default true check (only_row),
  zero_state bytea not null,
  first_seqno integer not null,
  partition_seqnos integer not null check (partition_seqnos > 0)
);

create table index_chunks (
  first_seqno integer not null primary key,
  last_seqno integer,
  done_seqno integer not null,
  owner text,
  beat timestamptz not null default now(),
  check (last_seqno is null or last_seqno >= first_seqno),
  check (done_seqno >= first_seqno - 1)
);
`)
    .execute(db);
}
