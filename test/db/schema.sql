create type account_status as enum ('uninit', 'frozen', 'active', 'nonexist');
create type event_kind as enum ('jetton_transfer', 'jetton_burn', 'nft_transfer');
create type token_kind as enum ('jetton_masters', 'nft_collections', 'nft_items');

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
  acc8 bigint not null,
  trace_end_lt bigint not null,
  trace8 bigint not null,
  trace_end_utime integer not null,
  mc_seqno_end integer not null
) partition by RANGE (mc_seqno_end);
CREATE INDEX action_accounts_acc8 ON ONLY public.action_accounts USING btree (acc8, trace_end_lt);

create table action_keys (
  key bigint not null,
  trace_end_lt bigint not null,
  trace8 bigint not null,
  trace_end_utime integer not null,
  mc_seqno_end integer not null
) partition by RANGE (mc_seqno_end);
CREATE INDEX action_keys_key ON ONLY public.action_keys USING btree (key, trace_end_lt);

create table action_slices (
  slice bigint not null,
  types integer not null,
  constraint action_slices_pkey PRIMARY KEY (slice)
);
CREATE UNIQUE INDEX action_slices_pkey ON public.action_slices USING btree (slice);

create table announced_writes (
  backend integer not null,
  first_seqno integer not null,
  last_seqno integer not null,
  constraint announced_writes_pkey PRIMARY KEY (backend, first_seqno)
);
CREATE UNIQUE INDEX announced_writes_pkey ON public.announced_writes USING btree (backend, first_seqno);

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
  owner_id bigint,
  constraint api_keys_hash_is_sha256 CHECK ((octet_length(hash) = 32)),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES key_owners(id),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_rps_positive CHECK ((rps > 0))
);
CREATE INDEX api_keys_by_owner ON public.api_keys USING btree (owner_id) WHERE (owner_id IS NOT NULL);
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
CREATE INDEX blocks_file_hash ON ONLY public.blocks USING btree ("substring"(file_hash, 1, 8));
CREATE INDEX blocks_gen_utime ON ONLY public.blocks USING btree (gen_utime, workchain, shard, seqno);
CREATE UNIQUE INDEX blocks_pkey ON ONLY public.blocks USING btree (mc_seqno, workchain, shard, seqno);
CREATE INDEX blocks_root_hash ON ONLY public.blocks USING btree ("substring"(root_hash, 1, 8));
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

create table deleted_webhooks (
  webhook_id bigint not null,
  constraint deleted_webhooks_pkey PRIMARY KEY (webhook_id)
);
CREATE UNIQUE INDEX deleted_webhooks_pkey ON public.deleted_webhooks USING btree (webhook_id);

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
  max_bid_address bytea,
  max_bid_amount numeric,
  auction_end_time bigint,
  last_fill_up_time bigint,
  constraint dns_entries_pkey PRIMARY KEY (account)
);
CREATE INDEX dns_entries_auction ON public.dns_entries USING btree (max_bid_address, auction_end_time, account) WHERE (auction_end_time IS NOT NULL);
CREATE INDEX dns_entries_domain ON public.dns_entries USING btree (domain);
CREATE UNIQUE INDEX dns_entries_pkey ON public.dns_entries USING btree (account);
CREATE INDEX dns_entries_wallet ON public.dns_entries USING btree (wallet, length(domain), domain) WHERE (wallet IS NOT NULL);

create table hash_places (
  hash8 bigint not null,
  at bigint,
  mc_seqno integer not null,
  kind smallint not null
) partition by RANGE (mc_seqno);
CREATE INDEX hash_places_hash ON ONLY public.hash_places USING btree (hash8);
CREATE INDEX hash_places_seqno ON ONLY public.hash_places USING brin (mc_seqno);

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
  acc8 bigint not null,
  lt bigint not null,
  now bigint not null,
  at bigint not null,
  src8 bigint not null,
  token8 bigint not null,
  mc_seqno integer not null,
  aborted boolean not null,
  jetton bytea not null
) partition by RANGE (mc_seqno);
CREATE INDEX jetton_burns_account ON ONLY public.jetton_burns USING btree (acc8, lt);
CREATE INDEX jetton_burns_jetton ON ONLY public.jetton_burns USING btree (token8, lt);
CREATE INDEX jetton_burns_lt ON ONLY public.jetton_burns USING btree (lt);
CREATE INDEX jetton_burns_owner ON ONLY public.jetton_burns USING btree (src8, lt);

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
  mintless_root bytea,
  constraint jetton_masters_pkey PRIMARY KEY (account)
);
CREATE INDEX jetton_masters_admin ON public.jetton_masters USING btree (admin, id) WHERE (admin IS NOT NULL);
CREATE INDEX jetton_masters_id ON public.jetton_masters USING btree (id);
CREATE INDEX jetton_masters_mintless ON public.jetton_masters USING btree (id) WHERE (mintless_root IS NOT NULL);
CREATE UNIQUE INDEX jetton_masters_pkey ON public.jetton_masters USING btree (account);

create table jetton_transfers (
  acc8 bigint not null,
  lt bigint not null,
  now bigint not null,
  at bigint not null,
  src8 bigint not null,
  dst8 bigint,
  token8 bigint not null,
  mc_seqno integer not null,
  aborted boolean not null,
  jetton bytea not null
) partition by RANGE (mc_seqno);
CREATE INDEX jetton_transfers_account ON ONLY public.jetton_transfers USING btree (acc8, lt);
CREATE INDEX jetton_transfers_destination ON ONLY public.jetton_transfers USING btree (dst8, lt) WHERE (dst8 IS NOT NULL);
CREATE INDEX jetton_transfers_jetton ON ONLY public.jetton_transfers USING btree (token8, lt);
CREATE INDEX jetton_transfers_lt ON ONLY public.jetton_transfers USING btree (lt);
CREATE INDEX jetton_transfers_source ON ONLY public.jetton_transfers USING btree (src8, lt);

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
  mintless_root bytea,
  mintless_amount numeric,
  mintless_start_from bigint,
  mintless_expire_at bigint,
  constraint jetton_wallets_pkey PRIMARY KEY (account)
);
CREATE INDEX jetton_wallets_airdrop ON public.jetton_wallets USING btree (id) WHERE ((mintless_is_claimed = false) AND (mintless_amount > (0)::numeric));
CREATE INDEX jetton_wallets_balance ON public.jetton_wallets USING btree (balance, id);
CREATE INDEX jetton_wallets_id ON public.jetton_wallets USING btree (id);
CREATE INDEX jetton_wallets_jetton ON public.jetton_wallets USING btree (jetton, id);
CREATE INDEX jetton_wallets_jetton_airdrop ON public.jetton_wallets USING btree (jetton, id) WHERE ((mintless_is_claimed = false) AND (mintless_amount > (0)::numeric));
CREATE INDEX jetton_wallets_jetton_balance ON public.jetton_wallets USING btree (jetton, balance, id);
CREATE INDEX jetton_wallets_owner ON public.jetton_wallets USING btree (owner, id);
CREATE UNIQUE INDEX jetton_wallets_pkey ON public.jetton_wallets USING btree (account);
CREATE INDEX jetton_wallets_unclaimed ON public.jetton_wallets USING btree (jetton, mintless_root) WHERE (mintless_is_claimed = false);

create table key_owners (
  id bigint generated always as identity not null,
  name text not null,
  plan text,
  rps integer,
  created_at timestamp with time zone default now() not null,
  constraint key_owners_name_key UNIQUE (name),
  constraint key_owners_pkey PRIMARY KEY (id),
  constraint key_owners_rps_positive CHECK ((rps > 0)),
  constraint key_owners_share_is_whole CHECK (((plan IS NULL) = (rps IS NULL)))
);
CREATE UNIQUE INDEX key_owners_name_key ON public.key_owners USING btree (name);
CREATE UNIQUE INDEX key_owners_pkey ON public.key_owners USING btree (id);

create table key_usage (
  key_id bigint not null,
  day date not null,
  interface text not null,
  operation text not null,
  requests bigint not null,
  limited bigint not null,
  rejected bigint not null,
  failed bigint not null,
  constraint key_usage_pkey PRIMARY KEY (key_id, day, interface, operation)
);
CREATE INDEX key_usage_by_day ON public.key_usage USING btree (day);
CREATE UNIQUE INDEX key_usage_pkey ON public.key_usage USING btree (key_id, day, interface, operation);

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
) partition by RANGE (mc_seqno);
CREATE INDEX messages_body ON ONLY public.messages USING btree (body8, lt);
CREATE INDEX messages_destination ON ONLY public.messages USING btree (dst8, lt) WHERE (dst8 IS NOT NULL);
CREATE INDEX messages_hash ON ONLY public.messages USING btree (hash8);
CREATE INDEX messages_lt ON ONLY public.messages USING btree (lt);
CREATE INDEX messages_opcode ON ONLY public.messages USING btree (opcode, lt) WHERE (opcode IS NOT NULL);
CREATE INDEX messages_source ON ONLY public.messages USING btree (src8, lt) WHERE (src8 IS NOT NULL);

create table mintless_dumps (
  jetton bytea not null,
  root bytea not null,
  tries integer default 0 not null,
  next_try timestamp with time zone default now() not null,
  error text,
  constraint mintless_dumps_pkey PRIMARY KEY (jetton)
);
CREATE UNIQUE INDEX mintless_dumps_pkey ON public.mintless_dumps USING btree (jetton);

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

create table missing_elector_states (
  mc_seqno integer not null,
  tries integer default 0 not null,
  next_try timestamp with time zone default now() not null,
  constraint missing_elector_states_pkey PRIMARY KEY (mc_seqno)
);
CREATE UNIQUE INDEX missing_elector_states_pkey ON public.missing_elector_states USING btree (mc_seqno);

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
  acc8 bigint not null,
  lt bigint not null,
  now bigint not null,
  at bigint not null,
  src8 bigint not null,
  dst8 bigint,
  token8 bigint,
  mc_seqno integer not null,
  aborted boolean not null,
  collection bytea,
  index numeric not null
) partition by RANGE (mc_seqno);
CREATE INDEX nft_transfers_collection ON ONLY public.nft_transfers USING btree (token8, lt) WHERE (token8 IS NOT NULL);
CREATE INDEX nft_transfers_item ON ONLY public.nft_transfers USING btree (acc8, lt);
CREATE INDEX nft_transfers_lt ON ONLY public.nft_transfers USING btree (lt);
CREATE INDEX nft_transfers_new_owner ON ONLY public.nft_transfers USING btree (dst8, lt) WHERE (dst8 IS NOT NULL);
CREATE INDEX nft_transfers_old_owner ON ONLY public.nft_transfers USING btree (src8, lt);

create table nominator_pool_events (
  pool bytea not null,
  lt bigint not null,
  event_index integer not null,
  nominator bytea not null,
  utime bigint not null,
  tx_hash bytea not null,
  type text not null,
  amount numeric not null,
  balance_before numeric not null,
  balance_after numeric not null,
  pending_before numeric not null,
  pending_after numeric not null,
  withdraw_before boolean not null,
  withdraw_after boolean not null,
  mc_seqno integer not null,
  constraint nominator_pool_events_pkey PRIMARY KEY (pool, lt, event_index)
);
CREATE INDEX nominator_pool_events_mc_seqno ON public.nominator_pool_events USING btree (mc_seqno);
CREATE INDEX nominator_pool_events_nominator ON public.nominator_pool_events USING btree (nominator, pool, utime, lt, event_index);
CREATE UNIQUE INDEX nominator_pool_events_pkey ON public.nominator_pool_events USING btree (pool, lt, event_index);
CREATE INDEX nominator_pool_events_pool ON public.nominator_pool_events USING btree (pool, utime, lt, event_index);

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
  nominators bytea[] default '{}'::bytea[] not null,
  nominator_balances numeric[] default '{}'::numeric[] not null,
  nominator_pending_balances numeric[] default '{}'::numeric[] not null,
  constraint nominator_pools_pkey PRIMARY KEY (account)
);
CREATE INDEX nominator_pools_nominators ON public.nominator_pools USING gin (nominators);
CREATE UNIQUE INDEX nominator_pools_pkey ON public.nominator_pools USING btree (account);

create table open_members (
  trace_id bytea not null,
  at bigint not null,
  acc8 bigint not null
);
CREATE INDEX open_members_trace ON public.open_members USING btree (trace_id);

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

create table pool_validator_events (
  pool bytea not null,
  lt bigint not null,
  validator bytea not null,
  utime bigint not null,
  tx_hash bytea not null,
  type text not null,
  balance_before numeric not null,
  balance_after numeric not null,
  query_id numeric,
  cycle_start bigint,
  validator_reward_share integer not null,
  mc_seqno integer not null,
  constraint pool_validator_events_pkey PRIMARY KEY (pool, lt)
);
CREATE INDEX pool_validator_events_mc_seqno ON public.pool_validator_events USING btree (mc_seqno);
CREATE UNIQUE INDEX pool_validator_events_pkey ON public.pool_validator_events USING btree (pool, lt);
CREATE INDEX pool_validator_events_pool ON public.pool_validator_events USING btree (pool, utime, lt);
CREATE INDEX pool_validator_events_validator ON public.pool_validator_events USING btree (validator, utime, lt, pool);

create table shard_states (
  mc_seqno integer not null,
  workchains integer[] not null,
  shards bigint[] not null,
  seqnos integer[] not null,
  constraint shard_states_pkey PRIMARY KEY (mc_seqno)
) partition by RANGE (mc_seqno);
CREATE UNIQUE INDEX shard_states_pkey ON ONLY public.shard_states USING btree (mc_seqno);

create table state_imports (
  mc_seqno integer not null,
  workchain integer not null,
  shard bigint not null,
  hash bytea not null,
  last_account bytea,
  accounts bigint not null,
  finished_at timestamp with time zone,
  constraint state_imports_pkey PRIMARY KEY (mc_seqno, workchain, shard)
);
CREATE UNIQUE INDEX state_imports_pkey ON public.state_imports USING btree (mc_seqno, workchain, shard);

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
  acc8 bigint not null,
  end_lt bigint not null,
  trace8 bigint not null,
  end_utime integer not null,
  mc_seqno_end integer not null
) partition by RANGE (mc_seqno_end);
CREATE INDEX trace_accounts_account ON ONLY public.trace_accounts USING btree (acc8, end_lt);

create table trace_actions (
  trace8 bigint not null,
  trace_end_lt bigint not null,
  action8 bigint not null,
  trace_end_utime integer not null,
  mc_seqno_end integer not null,
  types integer not null,
  body bytea storage external not null
) partition by RANGE (mc_seqno_end);
CREATE INDEX trace_actions_action8 ON ONLY public.trace_actions USING btree (action8);
CREATE INDEX trace_actions_trace_end_lt ON ONLY public.trace_actions USING btree (trace_end_lt);

create table traces (
  trace8 bigint not null,
  end_lt bigint not null,
  end_utime integer not null,
  mc_seqno_start integer not null,
  mc_seqno_end integer not null,
  nodes integer not null,
  info bytea not null
) partition by RANGE (mc_seqno_end);
CREATE INDEX traces_end_lt ON ONLY public.traces USING btree (end_lt);
CREATE INDEX traces_id ON ONLY public.traces USING btree (trace8);
CREATE INDEX traces_mc_seqno_end ON ONLY public.traces USING btree (mc_seqno_end);

create table transactions (
  acc8 bigint not null,
  lt bigint not null,
  hash8 bigint not null,
  in8 bigint,
  at bigint not null,
  now integer not null,
  mc_seqno integer not null
) partition by RANGE (mc_seqno);
CREATE INDEX transactions_account ON ONLY public.transactions USING btree (acc8, lt);
CREATE INDEX transactions_hash ON ONLY public.transactions USING btree (hash8);
CREATE INDEX transactions_in ON ONLY public.transactions USING btree (in8) WHERE (in8 IS NOT NULL);
CREATE INDEX transactions_lt ON ONLY public.transactions USING btree (lt);

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

create table usage_writers (
  id text not null,
  batch bigint not null,
  written_at timestamp with time zone default now() not null,
  constraint usage_writers_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX usage_writers_pkey ON public.usage_writers USING btree (id);

create table validator_complaints (
  election_id bigint not null,
  hash bytea not null,
  pubkey bytea not null,
  description bytea,
  created_at bigint not null,
  severity integer not null,
  reward bytea not null,
  paid numeric not null,
  suggested_fine numeric not null,
  suggested_fine_part bigint not null,
  voters integer[] not null,
  set_hash bytea not null,
  weight_remaining numeric not null,
  source_seqno integer not null,
  source_utime bigint not null,
  constraint validator_complaints_pkey PRIMARY KEY (election_id, hash)
);
CREATE INDEX validator_complaints_by_pubkey ON public.validator_complaints USING btree (pubkey, created_at);
CREATE INDEX validator_complaints_by_time ON public.validator_complaints USING btree (created_at, hash);
CREATE UNIQUE INDEX validator_complaints_pkey ON public.validator_complaints USING btree (election_id, hash);

create table validator_cycle_members (
  cycle_start bigint not null,
  index integer not null,
  pubkey bytea not null,
  adnl bytea not null,
  weight numeric not null,
  stake numeric,
  constraint validator_cycle_members_pkey PRIMARY KEY (cycle_start, index)
);
CREATE UNIQUE INDEX validator_cycle_members_pkey ON public.validator_cycle_members USING btree (cycle_start, index);
CREATE INDEX validator_members_by_adnl ON public.validator_cycle_members USING btree (adnl, cycle_start);
CREATE INDEX validator_members_by_pubkey ON public.validator_cycle_members USING btree (pubkey, cycle_start);

create table validator_cycles (
  cycle_start bigint not null,
  cycle_end bigint not null,
  set_hash bytea not null,
  election_id bigint,
  total_stake numeric,
  total integer not null,
  main integer not null,
  total_weight numeric not null,
  elected_for bigint not null,
  start_before bigint not null,
  end_before bigint not null,
  stake_held_for bigint not null,
  max_validators integer not null,
  max_main_validators integer not null,
  min_validators integer not null,
  min_stake_limit numeric not null,
  max_stake_limit numeric not null,
  min_total_stake numeric not null,
  max_stake_factor bigint not null,
  source_seqno integer not null,
  constraint validator_cycles_pkey PRIMARY KEY (cycle_start)
);
CREATE INDEX validator_cycles_by_election ON public.validator_cycles USING btree (election_id);
CREATE INDEX validator_cycles_by_set ON public.validator_cycles USING btree (set_hash);
CREATE UNIQUE INDEX validator_cycles_pkey ON public.validator_cycles USING btree (cycle_start);

create table validator_election_participants (
  election_id bigint not null,
  pubkey bytea not null,
  holder bytea not null,
  stake numeric not null,
  max_factor bigint not null,
  adnl bytea not null,
  source_seqno integer not null,
  constraint validator_election_participants_pkey PRIMARY KEY (election_id, pubkey, holder)
);
CREATE UNIQUE INDEX validator_election_participants_pkey ON public.validator_election_participants USING btree (election_id, pubkey, holder);
CREATE INDEX validator_participants_by_adnl ON public.validator_election_participants USING btree (adnl, election_id);
CREATE INDEX validator_participants_by_holder ON public.validator_election_participants USING btree (holder, election_id);
CREATE INDEX validator_participants_by_pubkey ON public.validator_election_participants USING btree (pubkey, election_id);

create table validator_elections (
  election_id bigint not null,
  elect_close bigint not null,
  min_stake numeric not null,
  total_stake numeric not null,
  failed boolean not null,
  finished boolean not null,
  source_seqno integer not null,
  constraint validator_elections_pkey PRIMARY KEY (election_id)
);
CREATE UNIQUE INDEX validator_elections_pkey ON public.validator_elections USING btree (election_id);

create table validator_events (
  tx_hash bytea not null,
  lt bigint not null,
  utime bigint not null,
  mc_seqno integer not null,
  type text not null,
  holder bytea not null,
  pubkey bytea,
  adnl bytea,
  election_id bigint,
  query_id numeric not null,
  amount numeric not null,
  reason integer,
  constraint validator_events_pkey PRIMARY KEY (tx_hash)
);
CREATE INDEX validator_events_by_adnl ON public.validator_events USING btree (adnl, utime, lt, tx_hash) WHERE (adnl IS NOT NULL);
CREATE INDEX validator_events_by_holder ON public.validator_events USING btree (holder, utime, lt, tx_hash);
CREATE INDEX validator_events_by_pubkey ON public.validator_events USING btree (pubkey, utime, lt, tx_hash) WHERE (pubkey IS NOT NULL);
CREATE INDEX validator_events_by_seqno ON public.validator_events USING btree (mc_seqno);
CREATE INDEX validator_events_by_time ON public.validator_events USING btree (utime, lt, tx_hash);
CREATE INDEX validator_events_by_type ON public.validator_events USING btree (type, utime, lt, tx_hash);
CREATE UNIQUE INDEX validator_events_pkey ON public.validator_events USING btree (tx_hash);

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
  now bigint not null,
  at bigint not null,
  src8 bigint not null,
  dst8 bigint,
  mc_seqno integer not null,
  aborted boolean not null,
  kind event_kind not null,
  constraint waiting_events_pkey PRIMARY KEY (account, lt)
);
CREATE INDEX waiting_events_mc_seqno ON public.waiting_events USING btree (mc_seqno);
CREATE UNIQUE INDEX waiting_events_pkey ON public.waiting_events USING btree (account, lt);

create table waiting_pools (
  account bytea not null,
  mc_seqno integer not null,
  last_trans_hash bytea,
  tries integer default 0 not null,
  next_try timestamp with time zone default now() not null,
  constraint waiting_pools_pkey PRIMARY KEY (account, mc_seqno)
);
CREATE INDEX waiting_pools_mc_seqno ON public.waiting_pools USING btree (mc_seqno);
CREATE INDEX waiting_pools_next_try ON public.waiting_pools USING btree (next_try);
CREATE UNIQUE INDEX waiting_pools_pkey ON public.waiting_pools USING btree (account, mc_seqno);

create table waiting_traces (
  account bytea not null,
  trace_id bytea not null,
  mc_seqno_end integer not null,
  constraint waiting_traces_pkey PRIMARY KEY (account, trace_id)
);
CREATE INDEX waiting_traces_mc_seqno_end ON public.waiting_traces USING btree (mc_seqno_end);
CREATE UNIQUE INDEX waiting_traces_pkey ON public.waiting_traces USING btree (account, trace_id);

create table webhook_addresses (
  webhook_id bigint not null,
  account bytea not null,
  constraint webhook_addresses_pkey PRIMARY KEY (webhook_id, account)
);
CREATE INDEX webhook_addresses_by_account ON public.webhook_addresses USING btree (account, webhook_id);
CREATE UNIQUE INDEX webhook_addresses_pkey ON public.webhook_addresses USING btree (webhook_id, account);

create table webhook_events (
  number bigint generated always as identity not null,
  webhook_id bigint not null,
  account bytea not null,
  event_id text not null,
  body text not null,
  created_at timestamp with time zone default now() not null,
  tries integer default 0 not null,
  dead_at timestamp with time zone,
  error text,
  constraint webhook_events_pkey PRIMARY KEY (webhook_id, event_id)
);
CREATE INDEX webhook_events_age ON public.webhook_events USING btree (webhook_id, created_at) WHERE (dead_at IS NULL);
CREATE INDEX webhook_events_dead ON public.webhook_events USING btree (webhook_id, number) WHERE (dead_at IS NOT NULL);
CREATE UNIQUE INDEX webhook_events_pkey ON public.webhook_events USING btree (webhook_id, event_id);
CREATE INDEX webhook_events_waiting ON public.webhook_events USING btree (webhook_id, account, number) WHERE (dead_at IS NULL);

create table webhook_feeders (
  id text not null,
  until timestamp with time zone not null,
  constraint webhook_feeders_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX webhook_feeders_pkey ON public.webhook_feeders USING btree (id);

create table webhook_feeds (
  number smallint not null,
  cursor text,
  types text[] default '{}'::text[] not null,
  feeder text,
  feeder_until timestamp with time zone,
  constraint webhook_feeds_pkey PRIMARY KEY (number)
);
CREATE UNIQUE INDEX webhook_feeds_pkey ON public.webhook_feeds USING btree (number);

create table webhook_queues (
  webhook_id bigint not null,
  account bytea not null,
  next_try timestamp with time zone default now() not null,
  constraint webhook_queues_pkey PRIMARY KEY (webhook_id, account)
);
CREATE INDEX webhook_queues_due ON public.webhook_queues USING btree (webhook_id, next_try);
CREATE UNIQUE INDEX webhook_queues_pkey ON public.webhook_queues USING btree (webhook_id, account);

create table webhooks (
  id bigint generated always as identity not null,
  key_id bigint,
  url text not null,
  secret bytea not null,
  types text[] not null,
  action_types text[] default '{}'::text[] not null,
  include_address_book boolean not null,
  include_metadata boolean not null,
  start_cursor text not null,
  paused_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  delivered bigint default 0 not null,
  failed bigint default 0 not null,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  last_failure text,
  addresses integer default 0 not null,
  waiting integer default 0 not null,
  next_try timestamp with time zone,
  own_cursor text,
  min_finality text default 'finalized'::text not null,
  constraint webhooks_pkey PRIMARY KEY (id)
);
CREATE INDEX webhooks_behind ON public.webhooks USING btree (id) WHERE (own_cursor IS NOT NULL);
CREATE INDEX webhooks_by_key ON public.webhooks USING btree (key_id);
CREATE INDEX webhooks_due ON public.webhooks USING btree (next_try) WHERE ((next_try IS NOT NULL) AND (paused_at IS NULL));
CREATE INDEX webhooks_early ON public.webhooks USING btree (id) WHERE (min_finality <> 'finalized'::text);
CREATE UNIQUE INDEX webhooks_pkey ON public.webhooks USING btree (id);
