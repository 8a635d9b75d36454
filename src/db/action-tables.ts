import type { ColumnType, Generated } from 'kysely';
import type { BigInteger, Decimal, DefaultTime, ExtraCurrencies } from './column-types.ts';

/** The tables of actions and of their classification. */
export interface ActionTables {
  readonly actions: ActionsTable;
  readonly action_accounts: ActionAccountsTable;
  readonly unclassified_traces: UnclassifiedTracesTable;
  readonly classification_ranges: ClassificationRangesTable;
  readonly classification_faults: ClassificationFaultsTable;
  readonly waiting_traces: WaitingTracesTable;
}

/** A value inside a group of columns; integers that may be large are decimal strings. */
type StoredValue =
  | string
  | number
  | boolean
  | null
  | readonly StoredValue[]
  | { readonly [name: string]: StoredValue };

/** Groups of columns that only some action types have, by name (`jetton_transfer_data`); absent groups are left out. */
export type StoredGroups = Readonly<Record<string, Readonly<Record<string, StoredValue>>>>;

/**
 * An action. Columns that start with `trace_` belong to the trace, which is complete and does not change. The order of
 * lists is `trace_end_lt, trace_id, end_lt, action_id`: an index has the first, the rest orders the few rows of one trace.
 */
export interface ActionsTable {
  readonly trace_id: Buffer;
  readonly action_id: Buffer;
  /** The partition key. */
  readonly trace_mc_seqno_end: number;
  readonly trace_end_lt: BigInteger;
  readonly trace_end_utime: BigInteger;
  readonly trace_external_hash: Buffer | null;
  readonly trace_external_hash_norm: Buffer | null;
  readonly parent_action_id: Buffer | null;
  readonly type: string;
  /** The types of all actions that this one is part of, in no order. */
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
  /** From here on accounts; for a few types other texts (keys, ids of other chains), encoded by `toAccountOrText`. */
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
  /** Null if there are none. */
  readonly value_extra_currencies: ExtraCurrencies | null;
  /** Null if the type has no groups. */
  readonly data: ColumnType<StoredGroups | null, string | null, string | null>;
}

/** One row per action and account, with the columns that pages of an account's actions are filtered and ordered by. */
interface ActionAccountsTable {
  readonly account: Buffer;
  readonly trace_end_lt: BigInteger;
  readonly action_id: Buffer;
  /** The partition key. */
  readonly trace_mc_seqno_end: number;
  readonly trace_id: Buffer;
  readonly trace_end_utime: BigInteger;
  readonly end_lt: BigInteger;
  readonly end_utime: BigInteger;
  readonly type: string;
  readonly ancestor_type: readonly string[];
}

/** A complete trace in the classification queue. */
interface UnclassifiedTracesTable {
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
  readonly nodes: number;
  /** Whether it was classified before; its old actions stay until it is classified again. */
  readonly again: Generated<boolean>;
  /** Whether it is classified regardless of its size. */
  readonly any_size: Generated<boolean>;
  /** How often its classification was started. */
  readonly tries: Generated<number>;
  /** From then on it may be claimed. */
  readonly next_try: DefaultTime;
}

/** A range of masterchain seqnos, both inclusive, whose traces are put into the queue step by step, the newest first. */
interface ClassificationRangesTable {
  readonly id: Generated<string>;
  readonly first_seqno: number;
  readonly last_seqno: number;
  /** Only traces with an action of one of these types; null for all. */
  readonly types: readonly string[] | null;
  /** Whether they were classified before. */
  readonly again: Generated<boolean>;
}

/** A trace with only basic actions because the rules failed, or without actions because it is too large. */
interface ClassificationFaultsTable {
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
  readonly too_large: boolean;
  readonly reason: string;
}

/** A trace that was classified before one of its accounts was recognised. */
interface WaitingTracesTable {
  readonly account: Buffer;
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
}
