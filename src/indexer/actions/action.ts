/** What tells one type of action from another: columns by the names of the stored row, absent ones being null. */
export interface ActionColumns {
  /** The public type, where it is not the name of the block. */
  readonly type?: string;
  /** Set where it is not simply "the block did not fail". */
  readonly success?: boolean;
  readonly source?: string | null;
  readonly source_secondary?: string | null;
  readonly destination?: string | null;
  readonly destination_secondary?: string | null;
  readonly asset?: string | null;
  readonly asset_secondary?: string | null;
  readonly asset2?: string | null;
  readonly asset2_secondary?: string | null;
  readonly opcode?: number | null;
  readonly value?: bigint | null;
  readonly amount?: bigint | null;
  readonly value_extra_currencies?: Readonly<Record<string, string>>;
  /** Accounts beside those that every action has. */
  readonly accounts?: readonly (string | null)[];
  /** Groups of columns of single families of types, by the name of the group: `jetton_transfer_data` and so on. */
  readonly data?: Readonly<Record<string, ActionData>>;
}

/** A value inside a group of columns. */
export type ActionValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly ActionValue[]
  | { readonly [name: string]: ActionValue };

/** A group of columns. */
export type ActionData = Readonly<Record<string, ActionValue>>;

/** An action as it is stored. */
export interface Action extends Required<Omit<ActionColumns, 'accounts' | 'data' | 'success'>> {
  readonly trace_id: string;
  readonly action_id: string;
  readonly parent_action_id: string | null;
  /** All types of the actions that this one is a part of, without order. */
  readonly ancestor_type: readonly string[];
  readonly success: boolean;
  readonly start_lt: bigint;
  readonly end_lt: bigint;
  readonly start_utime: number;
  readonly end_utime: number;
  readonly mc_seqno_end: number;
  readonly tx_hashes: readonly string[];
  readonly accounts: readonly string[];
  readonly data: Readonly<Record<string, ActionData>>;
}

/** How a classification went: by the rules, or only the basic actions because the rules threw. */
export type ClassificationState = 'ok' | 'failed';

/** All actions of a trace. */
export interface Classification {
  readonly state: ClassificationState;
  readonly actions: readonly Action[];
  /** Why the rules threw. */
  readonly fault?: unknown;
}
