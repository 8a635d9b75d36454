create type account_status as enum ('uninit', 'frozen', 'active', 'nonexist');
create type bounce_kind as enum ('negfunds', 'nofunds', 'ok');
create type event_kind as enum ('jetton_transfer', 'jetton_burn', 'nft_transfer');
create type skip_reason as enum ('no_state', 'bad_state', 'no_gas', 'suspended');
create type status_change as enum ('unchanged', 'frozen', 'deleted');
create type token_kind as enum ('jetton_masters', 'nft_collections', 'nft_items');
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

create table action_accounts (
  account bytea not null,
  trace_end_lt bigint not null,
  action_id bytea not null,
  trace_mc_seqno_end integer not null,
  trace_id bytea not null,
  trace_end_utime bigint not null,
  end_lt bigint not null,
  end_utime bigint not null,
  type text not null,
  ancestor_type text[] not null,
  constraint action_accounts_pkey PRIMARY KEY (account, trace_end_lt, action_id, trace_mc_seqno_end)
) partition by RANGE (trace_mc_seqno_end);
CREATE UNIQUE INDEX action_accounts_pkey ON ONLY public.action_accounts USING btree (account, trace_end_lt, action_id, trace_mc_seqno_end);

create table actions (
  trace_id bytea not null,
  action_id bytea not null,
  trace_mc_seqno_end integer not null,
  trace_end_lt bigint not null,
  trace_end_utime bigint not null,
  trace_external_hash bytea,
  trace_external_hash_norm bytea,
  parent_action_id bytea,
  type text not null,
  ancestor_type text[] not null,
  success boolean not null,
  start_lt bigint not null,
  end_lt bigint not null,
  start_utime bigint not null,
  end_utime bigint not null,
  mc_seqno_end integer not null,
  tx_hashes bytea[] not null,
  accounts bytea[] not null,
  source bytea,
  source_secondary bytea,
  destination bytea,
  destination_secondary bytea,
  asset bytea,
  asset_secondary bytea,
  asset2 bytea,
  asset2_secondary bytea,
  opcode bigint,
  value numeric,
  amount numeric,
  value_extra_currencies jsonb,
  data jsonb,
  constraint actions_pkey PRIMARY KEY (trace_id, action_id, trace_mc_seqno_end)
) partition by RANGE (trace_mc_seqno_end);
CREATE INDEX actions_action_id ON ONLY public.actions USING btree (action_id);
CREATE UNIQUE INDEX actions_pkey ON ONLY public.actions USING btree (trace_id, action_id, trace_mc_seqno_end);
CREATE INDEX actions_trace_end_lt ON ONLY public.actions USING btree (trace_end_lt);
CREATE INDEX actions_trace_end_utime ON ONLY public.actions USING btree (trace_end_utime);
CREATE INDEX actions_trace_mc_seqno_end ON ONLY public.actions USING btree (trace_mc_seqno_end, trace_end_lt);
CREATE INDEX actions_type ON ONLY public.actions USING btree (type, trace_end_lt);

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

create table classification_faults (
  trace_id bytea not null,
  mc_seqno_end integer not null,
  too_large boolean not null,
  reason text not null,
  constraint classification_faults_pkey PRIMARY KEY (trace_id)
);
CREATE INDEX classification_faults_mc_seqno_end ON public.classification_faults USING btree (mc_seqno_end);
CREATE UNIQUE INDEX classification_faults_pkey ON public.classification_faults USING btree (trace_id);

create table classification_ranges (
  id bigint generated by default as identity not null,
  first_seqno integer not null,
  last_seqno integer not null,
  types text[],
  again boolean default true not null,
  constraint classification_ranges_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX classification_ranges_pkey ON public.classification_ranges USING btree (id);

create table contract_codes (
  hash bytea not null,
  boc bytea not null,
  methods bigint[],
  constraint contract_codes_pkey PRIMARY KEY (hash)
);
CREATE UNIQUE INDEX contract_codes_pkey ON public.contract_codes USING btree (hash);

create table dex_pools (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  dex text not null,
  is_stable boolean not null,
  asset_1 bytea,
  asset_2 bytea,
  reserve_1 numeric not null,
  reserve_2 numeric not null,
  fee double precision not null,
  constraint dex_pools_pkey PRIMARY KEY (account)
);
CREATE UNIQUE INDEX dex_pools_pkey ON public.dex_pools USING btree (account);

create table dns_entries (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  owner bytea,
  domain text not null,
  next_resolver bytea,
  wallet bytea,
  site_adnl bytea,
  storage_bag_id bytea,
  constraint dns_entries_pkey PRIMARY KEY (account)
);
CREATE INDEX dns_entries_domain ON public.dns_entries USING btree (domain);
CREATE UNIQUE INDEX dns_entries_pkey ON public.dns_entries USING btree (account);
CREATE INDEX dns_entries_wallet ON public.dns_entries USING btree (wallet, length(domain), domain) WHERE (wallet IS NOT NULL);

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
  history_id uuid default gen_random_uuid() not null,
  constraint index_origin_only_row_check CHECK (only_row),
  constraint index_origin_partition_seqnos_check CHECK ((partition_seqnos > 0)),
  constraint index_origin_pkey PRIMARY KEY (only_row)
);
CREATE UNIQUE INDEX index_origin_pkey ON public.index_origin USING btree (only_row);

create table jetton_burns (
  account bytea not null,
  lt bigint not null,
  mc_seqno integer not null,
  now bigint not null,
  aborted boolean not null,
  query_id numeric not null,
  jetton bytea not null,
  amount numeric not null,
  owner bytea not null,
  response_destination bytea,
  custom_payload bytea,
  constraint jetton_burns_pkey PRIMARY KEY (account, lt, mc_seqno)
) partition by RANGE (mc_seqno);
CREATE INDEX jetton_burns_jetton ON ONLY public.jetton_burns USING btree (jetton, lt);
CREATE INDEX jetton_burns_lt ON ONLY public.jetton_burns USING btree (lt);
CREATE INDEX jetton_burns_now ON ONLY public.jetton_burns USING btree (now);
CREATE INDEX jetton_burns_owner ON ONLY public.jetton_burns USING btree (owner, lt);
CREATE UNIQUE INDEX jetton_burns_pkey ON ONLY public.jetton_burns USING btree (account, lt, mc_seqno);

create table jetton_masters (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  total_supply numeric not null,
  mintable boolean not null,
  admin bytea,
  content jsonb not null,
  wallet_code_hash bytea not null,
  constraint jetton_masters_pkey PRIMARY KEY (account)
);
CREATE INDEX jetton_masters_admin ON public.jetton_masters USING btree (admin, id) WHERE (admin IS NOT NULL);
CREATE INDEX jetton_masters_id ON public.jetton_masters USING btree (id);
CREATE UNIQUE INDEX jetton_masters_pkey ON public.jetton_masters USING btree (account);

create table jetton_transfers (
  account bytea not null,
  lt bigint not null,
  mc_seqno integer not null,
  now bigint not null,
  aborted boolean not null,
  query_id numeric not null,
  jetton bytea not null,
  amount numeric not null,
  source bytea not null,
  destination bytea,
  response_destination bytea,
  custom_payload bytea,
  forward_ton_amount numeric not null,
  forward_payload bytea,
  constraint jetton_transfers_pkey PRIMARY KEY (account, lt, mc_seqno)
) partition by RANGE (mc_seqno);
CREATE INDEX jetton_transfers_destination ON ONLY public.jetton_transfers USING btree (destination, lt) WHERE (destination IS NOT NULL);
CREATE INDEX jetton_transfers_jetton ON ONLY public.jetton_transfers USING btree (jetton, lt);
CREATE INDEX jetton_transfers_lt ON ONLY public.jetton_transfers USING btree (lt);
CREATE INDEX jetton_transfers_now ON ONLY public.jetton_transfers USING btree (now);
CREATE UNIQUE INDEX jetton_transfers_pkey ON ONLY public.jetton_transfers USING btree (account, lt, mc_seqno);
CREATE INDEX jetton_transfers_source ON ONLY public.jetton_transfers USING btree (source, lt);

create table jetton_wallets (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  balance numeric not null,
  owner bytea not null,
  jetton bytea not null,
  mintless_is_claimed boolean,
  constraint jetton_wallets_pkey PRIMARY KEY (account)
);
CREATE INDEX jetton_wallets_balance ON public.jetton_wallets USING btree (balance, id);
CREATE INDEX jetton_wallets_id ON public.jetton_wallets USING btree (id);
CREATE INDEX jetton_wallets_jetton ON public.jetton_wallets USING btree (jetton, id);
CREATE INDEX jetton_wallets_jetton_balance ON public.jetton_wallets USING btree (jetton, balance, id);
CREATE INDEX jetton_wallets_owner ON public.jetton_wallets USING btree (owner, id);
CREATE UNIQUE INDEX jetton_wallets_pkey ON public.jetton_wallets USING btree (account);

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
  undetected boolean default false not null,
  constraint missing_cells_pkey PRIMARY KEY (account)
);
CREATE INDEX missing_cells_next_try ON public.missing_cells USING btree (next_try);
CREATE UNIQUE INDEX missing_cells_pkey ON public.missing_cells USING btree (account);

create table multisig_orders (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  multisig bytea not null,
  order_seqno numeric not null,
  threshold bigint not null,
  sent_for_execution boolean not null,
  approvals_mask numeric not null,
  approvals_num bigint not null,
  expiration_date bigint not null,
  order_boc bytea not null,
  signers bytea[] not null,
  constraint multisig_orders_pkey PRIMARY KEY (account)
);
CREATE INDEX multisig_orders_id ON public.multisig_orders USING btree (id);
CREATE INDEX multisig_orders_multisig ON public.multisig_orders USING btree (multisig, id);
CREATE UNIQUE INDEX multisig_orders_pkey ON public.multisig_orders USING btree (account);

create table multisigs (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  next_order_seqno numeric not null,
  threshold bigint not null,
  signers bytea[] not null,
  proposers bytea[] not null,
  constraint multisigs_pkey PRIMARY KEY (account)
);
CREATE INDEX multisigs_id ON public.multisigs USING btree (id);
CREATE UNIQUE INDEX multisigs_pkey ON public.multisigs USING btree (account);
CREATE INDEX multisigs_proposers ON public.multisigs USING gin (proposers);
CREATE INDEX multisigs_signers ON public.multisigs USING gin (signers);

create table nft_auctions (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  end_flag boolean not null,
  end_time bigint not null,
  marketplace bytea not null,
  nft bytea not null,
  nft_owner bytea,
  last_bid numeric not null,
  last_member bytea,
  min_step bigint not null,
  marketplace_fee_address bytea not null,
  marketplace_fee_factor bigint not null,
  marketplace_fee_base bigint not null,
  royalty_address bytea not null,
  royalty_factor bigint not null,
  royalty_base bigint not null,
  max_bid numeric not null,
  min_bid numeric not null,
  created_at bigint not null,
  last_bid_at bigint not null,
  is_canceled boolean not null,
  activated boolean,
  step_time bigint,
  last_query_id numeric,
  jetton_wallet bytea,
  jetton_master bytea,
  is_broken_state boolean,
  public_key bytea,
  constraint nft_auctions_pkey PRIMARY KEY (account)
);
CREATE INDEX nft_auctions_nft_owner ON public.nft_auctions USING btree (nft_owner) WHERE (nft_owner IS NOT NULL);
CREATE UNIQUE INDEX nft_auctions_pkey ON public.nft_auctions USING btree (account);

create table nft_collections (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  next_item_index numeric not null,
  owner bytea,
  content jsonb not null,
  constraint nft_collections_pkey PRIMARY KEY (account)
);
CREATE INDEX nft_collections_id ON public.nft_collections USING btree (id);
CREATE INDEX nft_collections_owner ON public.nft_collections USING btree (owner, account) WHERE (owner IS NOT NULL);
CREATE UNIQUE INDEX nft_collections_pkey ON public.nft_collections USING btree (account);

create table nft_items (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  init boolean not null,
  index numeric not null,
  collection bytea,
  owner bytea,
  content jsonb not null,
  constraint nft_items_pkey PRIMARY KEY (account)
);
CREATE INDEX nft_items_collection ON public.nft_items USING btree (collection, index) WHERE (collection IS NOT NULL);
CREATE INDEX nft_items_collection_last_transaction ON public.nft_items USING btree (collection, last_transaction_lt) WHERE (collection IS NOT NULL);
CREATE INDEX nft_items_id ON public.nft_items USING btree (id);
CREATE INDEX nft_items_last_transaction ON public.nft_items USING btree (last_transaction_lt);
CREATE INDEX nft_items_owner ON public.nft_items USING btree (owner, COALESCE(collection, '\xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'::bytea), index) WHERE (owner IS NOT NULL);
CREATE INDEX nft_items_owner_last_transaction ON public.nft_items USING btree (owner, last_transaction_lt) WHERE (owner IS NOT NULL);
CREATE UNIQUE INDEX nft_items_pkey ON public.nft_items USING btree (account);

create table nft_sales (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  is_complete boolean not null,
  created_at bigint not null,
  marketplace bytea not null,
  nft bytea not null,
  nft_owner bytea,
  full_price numeric not null,
  marketplace_fee_address bytea not null,
  marketplace_fee numeric not null,
  royalty_address bytea not null,
  royalty_amount numeric not null,
  sold_at bigint,
  sold_query_id numeric,
  jetton_prices jsonb,
  constraint nft_sales_pkey PRIMARY KEY (account)
);
CREATE INDEX nft_sales_nft_owner ON public.nft_sales USING btree (nft_owner) WHERE (nft_owner IS NOT NULL);
CREATE UNIQUE INDEX nft_sales_pkey ON public.nft_sales USING btree (account);

create table nft_transfers (
  account bytea not null,
  lt bigint not null,
  mc_seqno integer not null,
  now bigint not null,
  aborted boolean not null,
  query_id numeric not null,
  collection bytea,
  index numeric not null,
  old_owner bytea not null,
  new_owner bytea,
  response_destination bytea,
  custom_payload bytea,
  forward_amount numeric not null,
  forward_payload bytea,
  constraint nft_transfers_pkey PRIMARY KEY (account, lt, mc_seqno)
) partition by RANGE (mc_seqno);
CREATE INDEX nft_transfers_collection ON ONLY public.nft_transfers USING btree (collection, lt) WHERE (collection IS NOT NULL);
CREATE INDEX nft_transfers_lt ON ONLY public.nft_transfers USING btree (lt);
CREATE INDEX nft_transfers_new_owner ON ONLY public.nft_transfers USING btree (new_owner, lt) WHERE (new_owner IS NOT NULL);
CREATE INDEX nft_transfers_now ON ONLY public.nft_transfers USING btree (now);
CREATE INDEX nft_transfers_old_owner ON ONLY public.nft_transfers USING btree (old_owner, lt);
CREATE UNIQUE INDEX nft_transfers_pkey ON ONLY public.nft_transfers USING btree (account, lt, mc_seqno);

create table nominator_pools (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  state bigint not null,
  nominators_count bigint not null,
  stake_amount_sent numeric not null,
  validator_amount numeric not null,
  validator bytea not null,
  validator_reward_share bigint not null,
  max_nominators_count bigint not null,
  min_validator_stake numeric not null,
  min_nominator_stake numeric not null,
  stake_at bigint not null,
  constraint nominator_pools_pkey PRIMARY KEY (account)
);
CREATE UNIQUE INDEX nominator_pools_pkey ON public.nominator_pools USING btree (account);

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

create table telemint_items (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  token_name text not null,
  bidder bytea,
  bid numeric not null,
  bid_ts bigint not null,
  min_bid numeric not null,
  end_time bigint not null,
  beneficiary bytea,
  initial_min_bid numeric not null,
  max_bid numeric not null,
  min_bid_step numeric not null,
  min_extend_time bigint not null,
  duration bigint not null,
  royalty_numerator bigint not null,
  royalty_denominator bigint not null,
  royalty_destination bytea not null,
  constraint telemint_items_pkey PRIMARY KEY (account)
);
CREATE UNIQUE INDEX telemint_items_pkey ON public.telemint_items USING btree (account);

create table token_metadata (
  account bytea not null,
  kind token_kind not null,
  source_hash bytea not null,
  valid boolean,
  name text,
  description text,
  image text,
  symbol text,
  extra jsonb,
  error text,
  is_nsfw boolean default false not null,
  is_scam boolean default false not null,
  updated_at bigint,
  expires_at bigint,
  tries integer default 0 not null,
  priority smallint default 0 not null,
  next_try timestamp with time zone,
  constraint token_metadata_pkey PRIMARY KEY (account, kind)
);
CREATE INDEX token_metadata_next_try ON public.token_metadata USING btree (priority DESC, next_try) WHERE (next_try IS NOT NULL);
CREATE UNIQUE INDEX token_metadata_pkey ON public.token_metadata USING btree (account, kind);

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
  constraint transactions_pkey PRIMARY KEY (account, lt, mc_seqno)
) partition by RANGE (mc_seqno);
CREATE INDEX transactions_hash ON ONLY public.transactions USING btree (hash);
CREATE INDEX transactions_lt ON ONLY public.transactions USING btree (lt);
CREATE INDEX transactions_mc_seqno ON ONLY public.transactions USING btree (mc_seqno, lt);
CREATE INDEX transactions_now ON ONLY public.transactions USING btree (now);
CREATE UNIQUE INDEX transactions_pkey ON ONLY public.transactions USING btree (account, lt, mc_seqno);
CREATE INDEX transactions_trace ON ONLY public.transactions USING btree (trace_id, lt);

create table tx_pages (
  page bigint not null,
  last_seqno integer not null,
  count smallint not null,
  traces bytea not null,
  body bytea storage external not null,
  constraint tx_pages_pkey PRIMARY KEY (page)
) partition by RANGE (page);
CREATE UNIQUE INDEX tx_pages_pkey ON ONLY public.tx_pages USING btree (page);

create table unclassified_traces (
  trace_id bytea not null,
  mc_seqno_end integer not null,
  nodes integer not null,
  again boolean default false not null,
  any_size boolean default false not null,
  tries integer default 0 not null,
  next_try timestamp with time zone default now() not null,
  constraint unclassified_traces_pkey PRIMARY KEY (trace_id)
);
CREATE INDEX unclassified_traces_begun ON public.unclassified_traces USING btree (mc_seqno_end) WHERE (tries > 0);
CREATE INDEX unclassified_traces_fresh ON public.unclassified_traces USING btree (mc_seqno_end) WHERE (tries = 0);
CREATE UNIQUE INDEX unclassified_traces_pkey ON public.unclassified_traces USING btree (trace_id);

create table vestings (
  account bytea not null,
  id bigint generated by default as identity not null,
  last_transaction_lt bigint not null,
  code_hash bytea not null,
  data_hash bytea not null,
  start_time bigint not null,
  total_duration bigint not null,
  unlock_period bigint not null,
  cliff_duration bigint not null,
  total_amount numeric not null,
  sender bytea not null,
  owner bytea not null,
  whitelist bytea[] not null,
  constraint vestings_pkey PRIMARY KEY (account)
);
CREATE INDEX vestings_id ON public.vestings USING btree (id);
CREATE INDEX vestings_owner ON public.vestings USING btree (owner, id);
CREATE UNIQUE INDEX vestings_pkey ON public.vestings USING btree (account);
CREATE INDEX vestings_sender ON public.vestings USING btree (sender, id);
CREATE INDEX vestings_whitelist ON public.vestings USING gin (whitelist);

create table waiting_events (
  account bytea not null,
  lt bigint not null,
  mc_seqno integer not null,
  now bigint not null,
  aborted boolean not null,
  query_id numeric not null,
  kind event_kind not null,
  amount numeric,
  source bytea not null,
  destination bytea,
  response_destination bytea,
  custom_payload bytea,
  forward_amount numeric,
  forward_payload bytea,
  constraint waiting_events_pkey PRIMARY KEY (account, lt)
);
CREATE INDEX waiting_events_mc_seqno ON public.waiting_events USING btree (mc_seqno);
CREATE UNIQUE INDEX waiting_events_pkey ON public.waiting_events USING btree (account, lt);

create table waiting_traces (
  account bytea not null,
  trace_id bytea not null,
  mc_seqno_end integer not null,
  constraint waiting_traces_pkey PRIMARY KEY (account, trace_id)
);
CREATE INDEX waiting_traces_mc_seqno_end ON public.waiting_traces USING btree (mc_seqno_end);
CREATE UNIQUE INDEX waiting_traces_pkey ON public.waiting_traces USING btree (account, trace_id);
