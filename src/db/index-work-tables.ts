import type { Generated } from 'kysely';
import type { BigInteger, DefaultTime } from './column-types.ts';

/** An account whose code or data the blocks did not show and that must be asked for. */
export interface MissingCellsTable {
  readonly account: Buffer;
  readonly last_trans_lt: BigInteger;
  readonly tries: Generated<number>;
  readonly next_try: DefaultTime;
  /** Whether it must still be found out what the contract is. */
  readonly undetected: Generated<boolean>;
}

/** What the index is of. One row. */
export interface IndexOriginTable {
  readonly only_row: Generated<boolean>;
  readonly zero_state: Buffer;
  readonly first_seqno: number;
  readonly partition_seqnos: number;
}

/**
 * A range of masterchain seqnos that one process works on; null for the end of the one that follows the
 * head.
 */
export interface IndexChunksTable {
  readonly first_seqno: number;
  readonly last_seqno: number | null;
  readonly done_seqno: number;
  readonly owner: string | null;
  readonly beat: DefaultTime;
}
