import type { ColumnType, Generated } from 'kysely';
import type { BigInteger, Decimal, DefaultTime, ExtraCurrencies } from './column-types.ts';

/** A value inside a group of columns: whole numbers that may be large are decimal strings. */
export type StoredValue =
  | string
  | number
  | boolean
  | null
  | readonly StoredValue[]
  | { readonly [name: string]: StoredValue };

/** Groups of columns of single families of types, by name (`jetton_transfer_data`); those that an action does not have are left out. */
export type StoredGroups = Readonly<Record<string, Readonly<Record<string, StoredValue>>>>;

/**
 * Something that happened in a trace. Everything that begins with `trace_` is of the trace; traces are complete and do not
 * change. The order of lists is `trace_end_lt, trace_id, end_lt, action_id`: an index gives the first, the rest orders the
 * few rows of one trace.
 */
export interface ActionsTable {
  readonly trace_id: Buffer;
  readonly action_id: Buffer;
  /** By this the table is cut. */
  readonly trace_mc_seqno_end: number;
  readonly trace_end_lt: BigInteger;
  readonly trace_end_utime: BigInteger;
  readonly trace_external_hash: Buffer | null;
  readonly trace_external_hash_norm: Buffer | null;
  readonly parent_action_id: Buffer | null;
  readonly type: string;
  /** All types of the actions that this one is a part of, without order. */
  readonly ancestor_type: readonly string[];
  readonly success: boolean;
  readonly start_lt: BigInteger;
  readonly end_lt: BigInteger;
  readonly start_utime: BigInteger;
  readonly end_utime: BigInteger;
  /** The largest masterchain seqno among its own transactions. */
  readonly mc_seqno_end: number;
  readonly tx_hashes: readonly Buffer[];
  /** The same as in `action_accounts`. */
  readonly accounts: readonly Buffer[];
  /** From here on accounts; for a few types other texts (keys, ids of other chains), written by `toAccountOrText`. */
  readonly source: Buffer | null;
  readonly source_secondary: Buffer | null;
  readonly destination: Buffer | null;
  readonly destination_secondary: Buffer | null;
  readonly asset: Buffer | null;
  readonly asset_secondary: Buffer | null;
  readonly asset2: Buffer | null;
  readonly asset2_secondary: Buffer | null;
  /** Unsigned. */
  readonly opcode: BigInteger | null;
  readonly value: Decimal | null;
  readonly amount: Decimal | null;
  /** Null when there are none. */
  readonly value_extra_currencies: ExtraCurrencies | null;
  /** Null when the type has no group. */
  readonly data: ColumnType<StoredGroups | null, string | null, string | null>;
}

/** An action once more for each of its accounts, with what a page of an account's actions is chosen and ordered by. */
export interface ActionAccountsTable {
  readonly account: Buffer;
  readonly trace_end_lt: BigInteger;
  readonly action_id: Buffer;
  /** By this the table is cut. */
  readonly trace_mc_seqno_end: number;
  readonly trace_id: Buffer;
  readonly trace_end_utime: BigInteger;
  readonly end_lt: BigInteger;
  readonly end_utime: BigInteger;
  readonly type: string;
  readonly ancestor_type: readonly string[];
}

/** A complete trace that must be classified. */
export interface UnclassifiedTracesTable {
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
  readonly nodes: number;
  /** Whether it was classified before; its actions stay until then. */
  readonly again: Generated<boolean>;
  /** Whether it is classified however large it is. */
  readonly any_size: Generated<boolean>;
  /** How often somebody began with it. */
  readonly tries: Generated<number>;
  /** Nobody is at work on it, and it may be begun, from then on. */
  readonly next_try: DefaultTime;
}

/** Traces that ended between two masterchain seqnos, both included, and go into the queue by and by, the newest first. */
export interface ClassificationRangesTable {
  readonly id: Generated<string>;
  readonly first_seqno: number;
  readonly last_seqno: number;
  /** Only traces that have an action of one of these types; null for all. */
  readonly types: readonly string[] | null;
  /** Whether they were classified before. */
  readonly again: Generated<boolean>;
}

/** A trace that has only basic actions because the rules failed, or none because it is too large. */
export interface ClassificationFaultsTable {
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
  readonly too_large: boolean;
  readonly reason: string;
}

/** A trace that was classified before it was known what one of its accounts is. */
export interface WaitingTracesTable {
  readonly account: Buffer;
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
}
