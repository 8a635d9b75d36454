import { type Kysely, sql } from 'kysely';

/**
 * The columns of every event: prefixes of accounts, times, and the position of the transaction. `acc8` is the jetton wallet
 * or NFT item that received the request, `src8` the sender and `token8` the jetton or collection.
 */
const OF_EVENT = `
  acc8 bigint not null,
  lt bigint not null,
  now bigint not null,
  at bigint not null,
  src8 bigint not null`;

/**
 * Transfers and burns, one row per request that a recognised contract received. Rows have what lists are filtered and
 * ordered by, and what was known of the token; the rest is in the message, which is in the page of the transaction. Also
 * token metadata with the queue of what is still to be fetched.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table jetton_transfers (${OF_EVENT},
  dst8 bigint,
  token8 bigint not null,
  mc_seqno integer not null,
  aborted boolean not null,
  jetton bytea not null
) partition by range (mc_seqno);
create index jetton_transfers_account on jetton_transfers (acc8, lt);
create index jetton_transfers_source on jetton_transfers (src8, lt);
create index jetton_transfers_destination on jetton_transfers (dst8, lt) where dst8 is not null;
create index jetton_transfers_jetton on jetton_transfers (token8, lt);
create index jetton_transfers_lt on jetton_transfers (lt);

create table jetton_burns (${OF_EVENT},
  token8 bigint not null,
  mc_seqno integer not null,
  aborted boolean not null,
  jetton bytea not null
) partition by range (mc_seqno);
create index jetton_burns_account on jetton_burns (acc8, lt);
create index jetton_burns_owner on jetton_burns (src8, lt);
create index jetton_burns_jetton on jetton_burns (token8, lt);
create index jetton_burns_lt on jetton_burns (lt);

create table nft_transfers (${OF_EVENT},
  dst8 bigint,
  token8 bigint,
  mc_seqno integer not null,
  aborted boolean not null,
  collection bytea,
  index numeric not null
) partition by range (mc_seqno);
create index nft_transfers_item on nft_transfers (acc8, lt);
create index nft_transfers_old_owner on nft_transfers (src8, lt);
create index nft_transfers_new_owner on nft_transfers (dst8, lt) where dst8 is not null;
create index nft_transfers_collection on nft_transfers (token8, lt) where token8 is not null;
create index nft_transfers_lt on nft_transfers (lt);

create type event_kind as enum ('jetton_transfer', 'jetton_burn', 'nft_transfer');
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
