import { type Kysely, sql } from 'kysely';

/**
 * Auctions of domains, and nominator pools with what happened in them. What was indexed before is looked at again: domains
 * and pools because they have new columns, transactions of pools because they have events.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await queueIndexedPools(db);
}

/** Each by itself: Citus sends the whole message of a change to its workers, and they take one statement. */
const STATEMENTS = [
  `alter table dns_entries
    add column max_bid_address bytea,
    add column max_bid_amount numeric,
    add column auction_end_time bigint,
    add column last_fill_up_time bigint`,
  `create index dns_entries_auction on dns_entries (max_bid_address, auction_end_time, account)
    where auction_end_time is not null`,
  `alter table nominator_pools
    add column nominators bytea[] not null default '{}',
    add column nominator_balances numeric[] not null default '{}',
    add column nominator_pending_balances numeric[] not null default '{}'`,
  'create index nominator_pools_nominators on nominator_pools using gin (nominators)',
  `create table nominator_pool_events (
    pool bytea not null,
    lt bigint not null,
    -- Of the events of a transaction.
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
    primary key (pool, lt, event_index)
  )`,
  'create index nominator_pool_events_pool on nominator_pool_events (pool, utime, lt, event_index)',
  'create index nominator_pool_events_nominator on nominator_pool_events (nominator, pool, utime, lt, event_index)',
  'create index nominator_pool_events_mc_seqno on nominator_pool_events (mc_seqno)',
  `create table pool_validator_events (
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
    primary key (pool, lt)
  )`,
  'create index pool_validator_events_pool on pool_validator_events (pool, utime, lt)',
  'create index pool_validator_events_validator on pool_validator_events (validator, utime, lt, pool)',
  'create index pool_validator_events_mc_seqno on pool_validator_events (mc_seqno)',
  // Transactions of pools whose events need states that the blocks do not show.
  `create table waiting_pools (
    account bytea not null,
    mc_seqno integer not null,
    -- Null for what was indexed before there were events.
    last_trans_hash bytea,
    tries integer not null default 0,
    next_try timestamptz not null default now(),
    primary key (account, mc_seqno)
  )`,
  'create index waiting_pools_next_try on waiting_pools (next_try)',
  'create index waiting_pools_mc_seqno on waiting_pools (mc_seqno)',
  `insert into missing_cells (account, last_trans_lt, undetected)
  select account, last_transaction_lt, true from dns_entries
  on conflict (account) do update set undetected = true`,
  `insert into missing_cells (account, last_trans_lt, undetected)
  select account, last_transaction_lt, true from nominator_pools
  on conflict (account) do update set undetected = true`,
];

/** Queues the transactions of pools that are in the index, by the prefixes of accounts that src/index/format/position.ts defines. */
async function queueIndexedPools(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ account: Buffer }>`select account from nominator_pools`.execute(db);
  for (const { account } of rows) {
    const hash = account.readBigUInt64BE(1) >> 1n;
    // Pools take part in elections, so they are in the masterchain; there may be others in the basechain.
    if (account[0] !== 0xff && account[0] !== 0) continue;
    const prefix = account[0] === 0 ? hash : hash - 2n ** 63n;
    await sql`
      insert into waiting_pools (account, mc_seqno)
      select distinct ${account}::bytea, mc_seqno from transactions where acc8 = ${prefix}::bigint
      on conflict do nothing`.execute(db);
  }
}
