/** A value of a type-specific column; integers that may be large are decimal strings. */
export type StoredValue =
  | string
  | number
  | boolean
  | null
  | readonly StoredValue[]
  | { readonly [name: string]: StoredValue };

/** Groups of columns that only some action types have, by name (`jetton_transfer_data`); absent groups are left out. */
export type StoredGroups = Readonly<Record<string, Readonly<Record<string, StoredValue>>>>;

/** An action. Columns that start with `trace_` belong to the trace, which is complete and does not change. */
export interface ActionRow extends Parties {
  readonly trace_id: Buffer;
  readonly action_id: Buffer;
  readonly trace_mc_seqno_end: number;
  readonly trace_end_lt: string;
  readonly trace_end_utime: string;
  readonly trace_external_hash: Buffer | null;
  readonly trace_external_hash_norm: Buffer | null;
  readonly parent_action_id: Buffer | null;
  readonly type: string;
  /** The types of all actions that this one is part of, in no order. */
  readonly ancestor_type: readonly string[];
  readonly success: boolean;
  readonly start_lt: string;
  readonly end_lt: string;
  readonly start_utime: string;
  readonly end_utime: string;
  /** The largest masterchain seqno among its own transactions. */
  readonly mc_seqno_end: number;
  readonly tx_hashes: readonly Buffer[];
  readonly accounts: readonly Buffer[];
  /** Unsigned. */
  readonly opcode: string | null;
  readonly value: string | null;
  readonly amount: string | null;
  /** Null if there are none. */
  readonly value_extra_currencies: Readonly<Record<string, string>> | null;
  /** Null if the type has no groups. */
  readonly data: StoredGroups | null;
}

/** Accounts; for a few types other texts (keys, ids of other chains), encoded by `toAccountOrText`. */
type Parties = Readonly<Record<(typeof PARTY_COLUMNS)[number], Buffer | null>>;

/** Columns with an account, or for a few types another text, in the order of their bits. */
export const PARTY_COLUMNS = [
  'source',
  'source_secondary',
  'destination',
  'destination_secondary',
  'asset',
  'asset_secondary',
  'asset2',
  'asset2_secondary',
] as const;
