import type { Generated } from 'kysely';
import type { BigInteger, Decimal, DefaultTime } from './column-types.ts';

/** The tables about what happened in nominator pools. */
export interface PoolTables {
  readonly nominator_pool_events: NominatorPoolEventsTable;
  readonly pool_validator_events: PoolValidatorEventsTable;
  readonly waiting_pools: WaitingPoolsTable;
}

/** The columns of both kinds of events about the transaction. */
interface PoolTransactionColumns {
  readonly pool: Buffer;
  readonly lt: BigInteger;
  /** Unix seconds. */
  readonly utime: BigInteger;
  readonly tx_hash: Buffer;
  readonly mc_seqno: number;
}

/** A change of what a pool keeps for a nominator; amounts are nanotons. */
export interface NominatorPoolEventsTable extends PoolTransactionColumns {
  /** Counts the events of a transaction. */
  readonly event_index: number;
  readonly nominator: Buffer;
  readonly type: string;
  readonly amount: Decimal;
  readonly balance_before: Decimal;
  readonly balance_after: Decimal;
  readonly pending_before: Decimal;
  readonly pending_after: Decimal;
  readonly withdraw_before: boolean;
  readonly withdraw_after: boolean;
}

/** A change of what a pool keeps for its validator; amounts are nanotons. */
export interface PoolValidatorEventsTable extends PoolTransactionColumns {
  readonly validator: Buffer;
  readonly type: string;
  readonly balance_before: Decimal;
  readonly balance_after: Decimal;
  readonly query_id: Decimal | null;
  /** Unix seconds. */
  readonly cycle_start: BigInteger | null;
  readonly validator_reward_share: number;
}

/** The transactions of a pool in a masterchain seqno whose events need states that the blocks do not show. */
interface WaitingPoolsTable {
  readonly account: Buffer;
  readonly mc_seqno: number;
  /** The last of the transactions; null for what was indexed before there were events. */
  readonly last_trans_hash: Buffer | null;
  readonly tries: Generated<number>;
  readonly next_try: DefaultTime;
}
