import type { Generated } from 'kysely';
import type { ValidatorEventType } from '../../chain/messages/elector-messages.ts';
import type { BigInteger, Decimal, DefaultTime } from './column-types.ts';

/** The tables about validators. They are small, so they stay on the coordinator of a cluster. */
export interface ValidatorTables {
  readonly validator_events: ValidatorEventsTable;
  readonly validator_elections: ValidatorElectionsTable;
  readonly validator_election_participants: ValidatorParticipantsTable;
  readonly validator_cycles: ValidatorCyclesTable;
  readonly validator_cycle_members: ValidatorMembersTable;
  readonly validator_complaints: ValidatorComplaintsTable;
  readonly missing_elector_states: MissingElectorStatesTable;
}

/** All of them, in the order in which they are written. */
export const VALIDATOR_TABLES = [
  'validator_events',
  'validator_elections',
  'validator_election_participants',
  'validator_cycles',
  'validator_cycle_members',
  'validator_complaints',
  'missing_elector_states',
] as const satisfies readonly (keyof ValidatorTables)[];

/** What happened to a stake; one row per transaction. Stakes are in nanotons, times in unix seconds. */
export interface ValidatorEventsTable {
  readonly tx_hash: Buffer;
  readonly lt: BigInteger;
  readonly utime: BigInteger;
  readonly mc_seqno: number;
  readonly type: ValidatorEventType;
  /** Who sent or received the stake: an account. */
  readonly holder: Buffer;
  /** Null unless the stake was accepted or rejected, as are the two below. */
  readonly pubkey: Buffer | null;
  readonly adnl: Buffer | null;
  readonly election_id: BigInteger | null;
  readonly query_id: Decimal;
  readonly amount: Decimal;
  /** Why a stake was rejected. */
  readonly reason: number | null;
}

/** An election as the elector last showed it. */
export interface ValidatorElectionsTable {
  readonly election_id: BigInteger;
  readonly elect_close: BigInteger;
  readonly min_stake: Decimal;
  readonly total_stake: Decimal;
  readonly failed: boolean;
  readonly finished: boolean;
  /** The masterchain block whose state the row shows, here and below. */
  readonly source_seqno: number;
}

/** A candidate of an election; rows stay when the elector has forgotten the election. */
export interface ValidatorParticipantsTable {
  readonly election_id: BigInteger;
  readonly pubkey: Buffer;
  /** An account. */
  readonly holder: Buffer;
  readonly stake: Decimal;
  /** 65536 is 1. */
  readonly max_factor: BigInteger;
  readonly adnl: Buffer;
  readonly source_seqno: number;
}

/** A validator set with the rules of elections in the newest key block that has it. */
export interface ValidatorCyclesTable {
  readonly cycle_start: BigInteger;
  readonly cycle_end: BigInteger;
  /** Of the cell of the set. */
  readonly set_hash: Buffer;
  /** Null until the elector was seen with an election of this set, as is the stake. */
  readonly election_id: BigInteger | null;
  /** The greatest that was seen: fines lower what the elector shows. */
  readonly total_stake: Decimal | null;
  readonly total: number;
  readonly main: number;
  readonly total_weight: Decimal;
  readonly elected_for: BigInteger;
  readonly start_before: BigInteger;
  readonly end_before: BigInteger;
  readonly stake_held_for: BigInteger;
  readonly max_validators: number;
  readonly max_main_validators: number;
  readonly min_validators: number;
  readonly min_stake_limit: Decimal;
  readonly max_stake_limit: Decimal;
  readonly min_total_stake: Decimal;
  readonly max_stake_factor: BigInteger;
  readonly source_seqno: number;
}

/** A validator of a set. */
export interface ValidatorMembersTable {
  readonly cycle_start: BigInteger;
  readonly index: number;
  readonly pubkey: Buffer;
  readonly adnl: Buffer;
  readonly weight: Decimal;
  /** The greatest that was seen; null if unknown. */
  readonly stake: Decimal | null;
}

/** A complaint about an elected validator as the elector last showed it. */
export interface ValidatorComplaintsTable {
  readonly election_id: BigInteger;
  readonly hash: Buffer;
  /** Of the accused. */
  readonly pubkey: Buffer;
  /** A bag of cells; null if there is nothing in it. */
  readonly description: Buffer | null;
  readonly created_at: BigInteger;
  readonly severity: number;
  /** An account. */
  readonly reward: Buffer;
  readonly paid: Decimal;
  readonly suggested_fine: Decimal;
  /** In 1/2^32. */
  readonly suggested_fine_part: BigInteger;
  /** Places in the voting set. */
  readonly voters: readonly number[];
  /** Of the voting set; zeros without votes. */
  readonly set_hash: Buffer;
  readonly weight_remaining: Decimal;
  readonly source_seqno: number;
  /** Time of that block. */
  readonly source_utime: BigInteger;
}

/** A block at which the state of the elector was needed, but no lite server had it. */
interface MissingElectorStatesTable {
  readonly mc_seqno: number;
  readonly tries: Generated<number>;
  readonly next_try: DefaultTime;
}
