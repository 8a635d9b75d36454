import type { Generated } from 'kysely';
import type { BigInteger, DefaultTime } from './column-types.ts';

/** The tables of actions and of their classification. */
export interface ActionTables {
  readonly trace_actions: TraceActionsTable;
  readonly action_keys: ActionKeysTable;
  readonly action_accounts: ActionAccountsTable;
  readonly action_slices: ActionSlicesTable;
  readonly unclassified_traces: UnclassifiedTracesTable;
  readonly classification_ranges: ClassificationRangesTable;
  readonly classification_faults: ClassificationFaultsTable;
  readonly waiting_traces: WaitingTracesTable;
}

/**
 * All actions of a trace. Columns that end with 8 are prefixes of hashes: they select rows, the body decides. The order
 * of lists is that of `trace_end_lt, trace8`, then of the actions inside.
 */
interface TraceActionsTable {
  readonly trace8: BigInteger;
  readonly trace_end_lt: BigInteger;
  /** Of the id of the first action; the other actions have rows in `action_keys`. */
  readonly action8: BigInteger;
  /** The partition key. */
  readonly mc_seqno_end: number;
  /** A stored time, see `storedTime`. */
  readonly trace_end_utime: number;
  /** The types of the actions, by `maskOfTypes`. */
  readonly types: number;
  /** Packed by `packActions`. */
  readonly body: Buffer;
}

/** Where a trace stands in the lists of traces with actions. */
interface TracePlaceColumns {
  readonly trace_end_lt: BigInteger;
  readonly trace8: BigInteger;
  /** The partition key. */
  readonly mc_seqno_end: number;
  /** A stored time, see `storedTime`. */
  readonly trace_end_utime: number;
}

/** The traces with an action id, or with a type of action that is not common. */
interface ActionKeysTable extends TracePlaceColumns {
  /** The prefix of the id of an action, or the id of a type. */
  readonly key: BigInteger;
}

/**
 * The traces in whose actions an account takes part without having a transaction there: for all others the row in
 * `trace_accounts` is enough. In the masterchain every trace with actions has a row, because tick-tock transactions make
 * very many traces without actions.
 */
interface ActionAccountsTable extends TracePlaceColumns {
  readonly acc8: BigInteger;
}

/** The types of the actions of all traces that end in a slice of logical time, or of more: rows never lose a type. */
interface ActionSlicesTable {
  readonly slice: BigInteger;
  readonly types: number;
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
