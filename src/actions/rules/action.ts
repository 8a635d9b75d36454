/** Type-specific columns of an action, named as in the stored row; absent ones are null. */
export interface ActionColumns {
  /** The public type, if it is not the type of the block. */
  readonly type?: string;
  /** Overrides "the block did not fail". */
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
  readonly accounts?: readonly (string | null)[];
  /** Column groups of type families, by group name: `jetton_transfer_data` and so on; `extra` for what has no column. */
  readonly data?: Readonly<Record<string, ActionData>>;
}

/** A value in a column group. */
export type ActionValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly ActionValue[]
  | { readonly [name: string]: ActionValue };

/** A column group. */
export type ActionData = Readonly<Record<string, ActionValue>>;

export interface Action extends Required<Omit<ActionColumns, 'accounts' | 'data' | 'success'>> {
  readonly trace_id: string;
  readonly action_id: string;
  readonly parent_action_id: string | null;
  /** Types of all actions that contain this one, unordered. */
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

/** `failed`: the rules threw, and only basic actions were produced. */
export type ClassificationState = 'ok' | 'failed';

export interface Classification {
  readonly state: ClassificationState;
  readonly actions: readonly Action[];
  /** The error that the rules threw. */
  readonly fault?: unknown;
}
