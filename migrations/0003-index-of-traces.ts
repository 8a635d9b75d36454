import { type Kysely, sql } from 'kysely';

/** The rest of the index: traces, accounts, and the coverage tables of the indexer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table traces (
  trace8 bigint not null,
  end_lt bigint not null,
  end_utime integer not null,
  mc_seqno_start integer not null,
  mc_seqno_end integer not null,
  nodes integer not null,
  info bytea not null
) partition by range (mc_seqno_end);
create index traces_id on traces (trace8);
create index traces_end_lt on traces (end_lt);
create index traces_mc_seqno_end on traces (mc_seqno_end);

create table trace_accounts (
  acc8 bigint not null,
  end_lt bigint not null,
  trace8 bigint not null,
  end_utime integer not null,
  mc_seqno_end integer not null
) partition by range (mc_seqno_end);
create index trace_accounts_account on trace_accounts (acc8, end_lt);

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

create table open_members (
  trace_id bytea not null,
  at bigint not null,
  acc8 bigint not null
);
create index open_members_trace on open_members (trace_id);

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

create table announced_writes (
  backend integer not null,
  first_seqno integer not null,
  last_seqno integer not null,
  primary key (backend, first_seqno)
);
`)
    .execute(db);
}
