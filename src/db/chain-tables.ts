import type { BigInteger, BigIntegers, Decimal, ExtraCurrencies } from './column-types.ts';

/** A block; `mc_seqno` is the masterchain block that committed it first. */
export interface BlocksTable {
  readonly mc_seqno: number;
  readonly workchain: number;
  readonly shard: BigInteger;
  readonly seqno: number;
  readonly root_hash: Buffer;
  readonly file_hash: Buffer;
  readonly gen_utime: BigInteger;
  readonly start_lt: BigInteger;
  readonly end_lt: BigInteger;
  readonly global_id: number;
  readonly version: BigInteger;
  readonly flags: number;
  readonly after_merge: boolean;
  readonly before_split: boolean;
  readonly after_split: boolean;
  readonly want_merge: boolean;
  readonly want_split: boolean;
  readonly key_block: boolean;
  readonly vert_seqno_incr: boolean;
  readonly validator_list_hash_short: number;
  readonly gen_catchain_seqno: BigInteger;
  readonly min_ref_mc_seqno: BigInteger;
  readonly prev_key_block_seqno: BigInteger;
  readonly vert_seqno: BigInteger;
  readonly master_ref_seqno: BigInteger;
  readonly rand_seed: Buffer;
  readonly created_by: Buffer;
  readonly tx_count: number;
  readonly prev_shards: BigIntegers;
  readonly prev_seqnos: readonly number[];
}

/**
 * The newest block of every shard as a masterchain block has them, the masterchain itself among them: three
 * arrays of one length.
 */
export interface ShardStatesTable {
  readonly mc_seqno: number;
  readonly workchains: readonly number[];
  readonly shards: BigIntegers;
  readonly seqnos: readonly number[];
}

/**
 * A message as one transaction saw it: `ordinal` 0 came in, the others went out in this order. `peer` is
 * the other side.
 */
export interface MessagesTable {
  readonly account: Buffer;
  readonly tx_lt: BigInteger;
  readonly ordinal: number;
  readonly mc_seqno: number;
  readonly hash: Buffer;
  readonly hash_norm: Buffer | null;
  readonly peer: Buffer | null;
  readonly lt: BigInteger;
  readonly created_at: BigInteger | null;
  readonly value: Decimal | null;
  readonly value_extra: ExtraCurrencies | null;
  readonly fwd_fee: Decimal | null;
  readonly ihr_fee: Decimal | null;
  readonly extra_flags: Decimal | null;
  readonly import_fee: Decimal | null;
  readonly opcode: number | null;
  readonly ihr_disabled: boolean | null;
  readonly bounce: boolean | null;
  readonly bounced: boolean | null;
  readonly body_hash: Buffer;
  readonly init_hash: Buffer | null;
}

/** A body or an initial state, once in each partition; `part` is the first seqno of the partition. */
export interface MessageContentsTable {
  readonly hash: Buffer;
  readonly part: number;
  readonly boc: Buffer;
}

/** A trace all of whose messages have arrived. */
export interface TracesTable {
  readonly trace_id: Buffer;
  readonly external_hash: Buffer | null;
  readonly external_hash_norm: Buffer | null;
  readonly mc_seqno_start: number;
  readonly mc_seqno_end: number;
  readonly start_lt: BigInteger;
  readonly start_utime: BigInteger;
  readonly end_lt: BigInteger;
  readonly end_utime: BigInteger;
  readonly nodes: number;
  readonly edges: number;
}

/** Which accounts a complete trace touched. */
export interface TraceAccountsTable {
  readonly account: Buffer;
  readonly end_lt: BigInteger;
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
  readonly end_utime: BigInteger;
}

/** A trace that waits for messages, or whose beginning is not indexed. */
export interface OpenTracesTable {
  readonly trace_id: Buffer;
  readonly external_hash: Buffer | null;
  readonly external_hash_norm: Buffer | null;
  readonly mc_seqno_start: number;
  readonly mc_seqno_end: number;
  readonly start_lt: BigInteger;
  readonly start_utime: BigInteger;
  readonly end_lt: BigInteger;
  readonly end_utime: BigInteger;
  readonly nodes: number;
  readonly edges: number;
  readonly pending_edges: number;
  readonly broken: boolean;
}

/** An internal message that was sent and has not arrived. */
export interface PendingMessagesTable {
  readonly hash: Buffer;
  readonly trace_id: Buffer;
  readonly mc_seqno: number;
}

/** An internal message that arrived and whose sender is not indexed. */
export interface OrphanMessagesTable {
  readonly hash: Buffer;
  readonly trace_id: Buffer;
  readonly mc_seqno: number;
}
