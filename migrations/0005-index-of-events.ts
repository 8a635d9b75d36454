import { type Kysely, sql } from 'kysely';

/** The columns of every event; `account` is the jetton wallet or NFT item that received the request. */
const OF_TRANSACTION = `
  account bytea not null,
  lt bigint not null,
  mc_seqno integer not null,
  now bigint not null,
  aborted boolean not null,
  query_id numeric not null`;

/**
 * Transfers and burns, one row per request that a recognised contract received. Hash and trace of the transaction are in
 * its own row, which has the same key. Also token metadata with the queue of what is still to be fetched.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table jetton_transfers (${OF_TRANSACTION},
  jetton bytea not null,
  amount numeric not null,
  source bytea not null,
  destination bytea,
  response_destination bytea,
  custom_payload bytea,
  forward_ton_amount numeric not null,
  forward_payload bytea,
  primary key (account, lt, mc_seqno)
) partition by range (mc_seqno);
create index jetton_transfers_source on jetton_transfers (source, lt);
create index jetton_transfers_destination on jetton_transfers (destination, lt) where destination is not null;
create index jetton_transfers_jetton on jetton_transfers (jetton, lt);
create index jetton_transfers_lt on jetton_transfers (lt);
create index jetton_transfers_now on jetton_transfers (now);

create table jetton_burns (${OF_TRANSACTION},
  jetton bytea not null,
  amount numeric not null,
  owner bytea not null,
  response_destination bytea,
  custom_payload bytea,
  primary key (account, lt, mc_seqno)
) partition by range (mc_seqno);
create index jetton_burns_owner on jetton_burns (owner, lt);
create index jetton_burns_jetton on jetton_burns (jetton, lt);
create index jetton_burns_lt on jetton_burns (lt);
create index jetton_burns_now on jetton_burns (now);

create table nft_transfers (${OF_TRANSACTION},
  collection bytea,
  index numeric not null,
  old_owner bytea not null,
  new_owner bytea,
  response_destination bytea,
  custom_payload bytea,
  forward_amount numeric not null,
  forward_payload bytea,
  primary key (account, lt, mc_seqno)
) partition by range (mc_seqno);
create index nft_transfers_old_owner on nft_transfers (old_owner, lt);
create index nft_transfers_new_owner on nft_transfers (new_owner, lt) where new_owner is not null;
create index nft_transfers_collection on nft_transfers (collection, lt) where collection is not null;
create index nft_transfers_lt on nft_transfers (lt);
create index nft_transfers_now on nft_transfers (now);

create type event_kind as enum ('jetton_transfer', 'jetton_burn', 'nft_transfer');
create table waiting_events (${OF_TRANSACTION},
  kind event_kind not null,
  amount numeric,
  source bytea not null,
  destination bytea,
  response_destination bytea,
  custom_payload bytea,
  forward_amount numeric,
  forward_payload bytea,
  primary key (account, lt)
);
create index waiting_events_mc_seqno on waiting_events (mc_seqno);

create type token_kind as enum ('jetton_masters', 'nft_collections', 'nft_items');
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
  is_nsfw boolean not null default false,
  is_scam boolean not null default false,
  updated_at bigint,
  expires_at bigint,
  tries integer not null default 0,
  priority smallint not null default 0,
  next_try timestamptz,
  primary key (account, kind)
);
create index token_metadata_next_try on token_metadata (priority desc, next_try) where next_try is not null;
`)
    .execute(db);
}
