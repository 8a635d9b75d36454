create type account_status as enum ('uninit', 'frozen', 'active', 'nonexist');
create type bounce_kind as enum ('negfunds', 'nofunds', 'ok');
create type skip_reason as enum ('no_state', 'bad_state', 'no_gas', 'suspended');
create type status_change as enum ('unchanged', 'frozen', 'deleted');
create type transaction_kind as enum ('ord', 'storage', 'tick_tock', 'split_prepare', 'split_install', 'merge_prepare', 'merge_install');

create table account_data (
  account bytea not null,
  hash bytea not null,
  boc bytea not null,
  constraint account_data_pkey PRIMARY KEY (account)
);
CREATE UNIQUE INDEX account_data_pkey ON public.account_data USING btree (account);

create table account_states (
  account bytea not null,
  hash bytea not null,
  balance numeric not null,
  balance_extra jsonb,
  status account_status not null,
  code_hash bytea,
  data_hash bytea,
  frozen_hash bytea,
  constraint account_states_pkey PRIMARY KEY (account, hash)
);
CREATE UNIQUE INDEX account_states_pkey ON public.account_states USING btree (account, hash);

create table api_keys (
  id bigint generated always as identity not null,
  hash bytea not null,
  name text not null,
  plan text not null,
  networks text[] default '{}'::text[] not null,
  rps integer not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_keys_hash_is_sha256 CHECK ((octet_length(hash) = 32)),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_rps_positive CHECK ((rps > 0))
);
CREATE UNIQUE INDEX api_keys_hash_key ON public.api_keys USING btree (hash);
CREATE UNIQUE INDEX api_keys_pkey ON public.api_keys USING btree (id);

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
  constraint blocks_pkey PRIMARY KEY (mc_seqno, workchain, shard, seqno)
) partition by RANGE (mc_seqno);
CREATE INDEX blocks_file_hash ON ONLY public.blocks USING btree (file_hash);
CREATE INDEX blocks_gen_utime ON ONLY public.blocks USING btree (gen_utime, workchain, shard, seqno);
CREATE UNIQUE INDEX blocks_pkey ON ONLY public.blocks USING btree (mc_seqno, workchain, shard, seqno);
CREATE INDEX blocks_root_hash ON ONLY public.blocks USING btree (root_hash);
CREATE INDEX blocks_seqno ON ONLY public.blocks USING btree (seqno, workchain, shard);
CREATE INDEX blocks_start_lt ON ONLY public.blocks USING btree (start_lt);

create table contract_codes (
  hash bytea not null,
  boc bytea not null,
  methods bigint[],
  constraint contract_codes_pkey PRIMARY KEY (hash)
);
CREATE UNIQUE INDEX contract_codes_pkey ON public.contract_codes USING btree (hash);

create table index_chunks (
  first_seqno integer not null,
  last_seqno integer,
  done_seqno integer not null,
  owner text,
  beat timestamp with time zone default now() not null,
  constraint index_chunks_check CHECK (((last_seqno IS NULL) OR (last_seqno >= first_seqno))),
  constraint index_chunks_check1 CHECK ((done_seqno >= (first_seqno - 1))),
  constraint index_chunks_pkey PRIMARY KEY (first_seqno)
);
CREATE UNIQUE INDEX index_chunks_pkey ON public.index_chunks USING btree (first_seqno);

create table index_origin (
  only_row boolean default true not null,
  zero_state bytea not null,
  first_seqno integer not null,
  partition_seqnos integer not null,
  constraint index_origin_only_row_check CHECK (only_row),
  constraint index_origin_partition_seqnos_check CHECK ((partition_seqnos > 0)),
  constraint index_origin_pkey PRIMARY KEY (only_row)
);
CREATE UNIQUE INDEX index_origin_pkey ON public.index_origin USING btree (only_row);

create table latest_account_states (
  account bytea not null,
  hash bytea not null,
  status account_status not null,
  balance numeric not null,
  balance_extra jsonb,
  code_hash bytea,
  data_hash bytea,
  frozen_hash bytea,
  last_trans_lt bigint not null,
  last_trans_hash bytea not null,
  "timestamp" bigint not null,
  mc_seqno integer not null,
  constraint latest_account_states_pkey PRIMARY KEY (account)
);
CREATE INDEX latest_account_states_balance ON public.latest_account_states USING btree (balance DESC, account);
CREATE INDEX latest_account_states_code ON public.latest_account_states USING btree (code_hash) WHERE (code_hash IS NOT NULL);
CREATE UNIQUE INDEX latest_account_states_pkey ON public.latest_account_states USING btree (account);

create table message_contents (
  hash bytea not null,
  part integer not null,
  boc bytea not null,
  constraint message_contents_pkey PRIMARY KEY (hash, part)
) partition by RANGE (part);
CREATE UNIQUE INDEX message_contents_pkey ON ONLY public.message_contents USING btree (hash, part);

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
  constraint messages_pkey PRIMARY KEY (account, tx_lt, ordinal, mc_seqno)
) partition by RANGE (mc_seqno);
CREATE INDEX messages_body_hash ON ONLY public.messages USING btree (body_hash, lt);
CREATE INDEX messages_created_at ON ONLY public.messages USING btree (created_at) WHERE (created_at IS NOT NULL);
CREATE INDEX messages_from_peer ON ONLY public.messages USING btree (peer, lt) WHERE ((peer IS NOT NULL) AND (ordinal = 0));
CREATE INDEX messages_hash ON ONLY public.messages USING btree (hash);
CREATE INDEX messages_hash_norm ON ONLY public.messages USING btree (hash_norm) WHERE (hash_norm IS NOT NULL);
CREATE INDEX messages_lt ON ONLY public.messages USING btree (lt);
CREATE INDEX messages_opcode ON ONLY public.messages USING btree (opcode, lt) WHERE (opcode IS NOT NULL);
CREATE UNIQUE INDEX messages_pkey ON ONLY public.messages USING btree (account, tx_lt, ordinal, mc_seqno);
CREATE INDEX messages_received ON ONLY public.messages USING btree (account, lt) WHERE (ordinal = 0);
CREATE INDEX messages_to_peer ON ONLY public.messages USING btree (peer, lt) WHERE ((peer IS NOT NULL) AND (ordinal > 0));

create table missing_cells (
  account bytea not null,
  last_trans_lt bigint not null,
  tries integer default 0 not null,
  next_try timestamp with time zone default now() not null,
  constraint missing_cells_pkey PRIMARY KEY (account)
);
CREATE INDEX missing_cells_next_try ON public.missing_cells USING btree (next_try);
CREATE UNIQUE INDEX missing_cells_pkey ON public.missing_cells USING btree (account);

create table open_traces (
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
  pending_edges integer not null,
  broken boolean not null,
  constraint open_traces_pkey PRIMARY KEY (trace_id)
);
CREATE INDEX open_traces_end_lt ON public.open_traces USING btree (end_lt, trace_id);
CREATE INDEX open_traces_external_hash ON public.open_traces USING btree (external_hash) WHERE (external_hash IS NOT NULL);
CREATE INDEX open_traces_external_hash_norm ON public.open_traces USING btree (external_hash_norm) WHERE (external_hash_norm IS NOT NULL);
CREATE UNIQUE INDEX open_traces_pkey ON public.open_traces USING btree (trace_id);

create table orphan_messages (
  hash bytea not null,
  trace_id bytea not null,
  mc_seqno integer not null,
  constraint orphan_messages_pkey PRIMARY KEY (hash)
);
CREATE UNIQUE INDEX orphan_messages_pkey ON public.orphan_messages USING btree (hash);
CREATE INDEX orphan_messages_trace ON public.orphan_messages USING btree (trace_id);

create table pending_messages (
  hash bytea not null,
  trace_id bytea not null,
  mc_seqno integer not null,
  constraint pending_messages_pkey PRIMARY KEY (hash)
);
CREATE UNIQUE INDEX pending_messages_pkey ON public.pending_messages USING btree (hash);
CREATE INDEX pending_messages_trace ON public.pending_messages USING btree (trace_id);

create table shard_states (
  mc_seqno integer not null,
  workchains integer[] not null,
  shards bigint[] not null,
  seqnos integer[] not null,
  constraint shard_states_pkey PRIMARY KEY (mc_seqno)
) partition by RANGE (mc_seqno);
CREATE UNIQUE INDEX shard_states_pkey ON ONLY public.shard_states USING btree (mc_seqno);

create table trace_accounts (
  account bytea not null,
  end_lt bigint not null,
  trace_id bytea not null,
  mc_seqno_end integer not null,
  end_utime bigint not null,
  constraint trace_accounts_pkey PRIMARY KEY (account, end_lt, trace_id, mc_seqno_end)
) partition by RANGE (mc_seqno_end);
CREATE UNIQUE INDEX trace_accounts_pkey ON ONLY public.trace_accounts USING btree (account, end_lt, trace_id, mc_seqno_end);

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
  constraint traces_pkey PRIMARY KEY (trace_id, mc_seqno_end)
) partition by RANGE (mc_seqno_end);
CREATE INDEX traces_end_lt ON ONLY public.traces USING btree (end_lt, trace_id);
CREATE INDEX traces_end_utime ON ONLY public.traces USING btree (end_utime, trace_id);
CREATE INDEX traces_external_hash ON ONLY public.traces USING btree (external_hash) WHERE (external_hash IS NOT NULL);
CREATE INDEX traces_external_hash_norm ON ONLY public.traces USING btree (external_hash_norm) WHERE (external_hash_norm IS NOT NULL);
CREATE INDEX traces_mc_seqno_end ON ONLY public.traces USING btree (mc_seqno_end, end_lt);
CREATE UNIQUE INDEX traces_pkey ON ONLY public.traces USING btree (trace_id, mc_seqno_end);

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
  constraint transactions_pkey PRIMARY KEY (account, lt, mc_seqno)
) partition by RANGE (mc_seqno);
CREATE INDEX transactions_hash ON ONLY public.transactions USING btree (hash);
CREATE INDEX transactions_lt ON ONLY public.transactions USING btree (lt);
CREATE INDEX transactions_mc_seqno ON ONLY public.transactions USING btree (mc_seqno, lt);
CREATE INDEX transactions_now ON ONLY public.transactions USING btree (now);
CREATE UNIQUE INDEX transactions_pkey ON ONLY public.transactions USING btree (account, lt, mc_seqno);
CREATE INDEX transactions_trace ON ONLY public.transactions USING btree (trace_id, lt);
