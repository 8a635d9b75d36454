import { type Kysely, sql } from 'kysely';

/**
 * Validators: stakes and what became of them, elections, validator sets, complaints. Events are rows of their
 * transactions. The others are read from the state of the elector and from the configuration: `source_seqno` is the
 * masterchain block whose state a row shows, so that blocks may come in any order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table validator_events (
    tx_hash bytea primary key,
    lt bigint not null,
    utime bigint not null,
    mc_seqno integer not null,
    type text not null,
    -- Who sent or received the stake.
    holder bytea not null,
    -- These three only of stakes that were accepted or rejected.
    pubkey bytea,
    adnl bytea,
    election_id bigint,
    query_id numeric not null,
    amount numeric not null,
    -- Why a stake was rejected.
    reason integer
  )`,
  'create index validator_events_by_time on validator_events (utime, lt, tx_hash)',
  'create index validator_events_by_holder on validator_events (holder, utime, lt, tx_hash)',
  'create index validator_events_by_pubkey on validator_events (pubkey, utime, lt, tx_hash) where pubkey is not null',
  'create index validator_events_by_adnl on validator_events (adnl, utime, lt, tx_hash) where adnl is not null',
  'create index validator_events_by_type on validator_events (type, utime, lt, tx_hash)',
  'create index validator_events_by_seqno on validator_events (mc_seqno)',
  `create table validator_elections (
    election_id bigint primary key,
    elect_close bigint not null,
    min_stake numeric not null,
    total_stake numeric not null,
    failed boolean not null,
    finished boolean not null,
    source_seqno integer not null
  )`,
  // Participants stay when the elector has forgotten the election.
  `create table validator_election_participants (
    election_id bigint not null,
    pubkey bytea not null,
    holder bytea not null,
    stake numeric not null,
    max_factor bigint not null,
    adnl bytea not null,
    source_seqno integer not null,
    primary key (election_id, pubkey, holder)
  )`,
  'create index validator_participants_by_holder on validator_election_participants (holder, election_id)',
  'create index validator_participants_by_adnl on validator_election_participants (adnl, election_id)',
  'create index validator_participants_by_pubkey on validator_election_participants (pubkey, election_id)',
  `create table validator_cycles (
    cycle_start bigint primary key,
    cycle_end bigint not null,
    -- Hash of the cell of the validator set.
    set_hash bytea not null,
    -- Null until the elector was seen with an election of this set.
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
    source_seqno integer not null
  )`,
  'create index validator_cycles_by_election on validator_cycles (election_id)',
  'create index validator_cycles_by_set on validator_cycles (set_hash)',
  `create table validator_cycle_members (
    cycle_start bigint not null,
    "index" integer not null,
    pubkey bytea not null,
    adnl bytea not null,
    weight numeric not null,
    -- The greatest that was seen: fines lower what the elector shows.
    stake numeric,
    primary key (cycle_start, "index")
  )`,
  'create index validator_members_by_pubkey on validator_cycle_members (pubkey, cycle_start)',
  'create index validator_members_by_adnl on validator_cycle_members (adnl, cycle_start)',
  `create table validator_complaints (
    election_id bigint not null,
    hash bytea not null,
    -- Of the accused.
    pubkey bytea not null,
    -- A bag of cells; null if there is nothing in it.
    description bytea,
    created_at bigint not null,
    severity integer not null,
    reward bytea not null,
    paid numeric not null,
    suggested_fine numeric not null,
    suggested_fine_part bigint not null,
    -- Places in the voting set.
    voters integer[] not null,
    -- Hash of the voting set.
    set_hash bytea not null,
    weight_remaining numeric not null,
    source_seqno integer not null,
    -- Time of that block.
    source_utime bigint not null,
    primary key (election_id, hash)
  )`,
  'create index validator_complaints_by_time on validator_complaints (created_at, hash)',
  'create index validator_complaints_by_pubkey on validator_complaints (pubkey, created_at)',
  // Blocks at which the state of the elector was needed, but no lite server had it.
  `create table missing_elector_states (
    mc_seqno integer primary key,
    tries integer not null default 0,
    next_try timestamptz not null default now()
  )`,
];
