import type { ColumnType, Generated, Kysely } from 'kysely';
import type { TokenRequestKind } from '../../chain/messages/token-requests.ts';
import type { AccountStatus } from '../../chain/tlb/transaction-phases.ts';
import type { AccessTables } from './access-tables.ts';
import type { ActionTables } from './action-tables.ts';
import type { BigInteger, BigIntegers, Decimal, DefaultTime, ExtraCurrencies } from './column-types.ts';
import type { ContractTables } from './contract-tables.ts';
import type { PoolTables } from './pool-tables.ts';
import type { ValidatorTables } from './validator-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

/** The tables as Kysely sees them; `migrations/` creates them and `test/db/schema.sql` shows the result. */
export interface Tables
  extends AccessTables,
    ContractTables,
    ActionTables,
    PoolTables,
    ValidatorTables,
    WebhookTables {
  readonly blocks: BlocksTable;
  readonly shard_states: ShardStatesTable;
  readonly transactions: TransactionsTable;
  readonly tx_pages: TxPagesTable;
  readonly messages: MessagesTable;
  readonly hash_places: HashPlacesTable;
  readonly traces: TracesTable;
  readonly trace_accounts: TraceAccountsTable;
  readonly open_traces: OpenTracesTable;
  readonly open_members: OpenMembersTable;
  readonly pending_messages: WaitingMessagesTable;
  readonly orphan_messages: WaitingMessagesTable;
  readonly account_states: AccountStatesTable;
  readonly latest_account_states: LatestAccountStatesTable;
  readonly contract_codes: ContractCodesTable;
  readonly account_data: AccountDataTable;
  readonly missing_cells: MissingCellsTable;
  readonly jetton_transfers: JettonTransfersTable;
  readonly jetton_burns: JettonBurnsTable;
  readonly nft_transfers: NftTransfersTable;
  readonly waiting_events: WaitingEventsTable;
  readonly token_metadata: TokenMetadataTable;
  readonly mintless_dumps: MintlessDumpsTable;
  readonly index_origin: IndexOriginTable;
  readonly index_chunks: IndexChunksTable;
  readonly announced_writes: AnnouncedWritesTable;
  readonly state_imports: StateImportsTable;
}

/** A database, a transaction of it, or one connection. */
export type Db = Kysely<Tables>;

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
 * The newest block of every shard as of a masterchain block, including the masterchain: three arrays of the same length.
 */
interface ShardStatesTable {
  readonly mc_seqno: number;
  readonly workchains: readonly number[];
  readonly shards: BigIntegers;
  readonly seqnos: readonly number[];
}

/**
 * A page of neighbouring transactions, compressed; `src/index/format` reads it. `page` is numbered after the masterchain seqno of
 * its first transaction, `last_seqno` is that of the last one, `traces` has the trace ids.
 */
interface TxPagesTable {
  readonly page: BigInteger;
  readonly last_seqno: number;
  readonly count: number;
  readonly traces: Buffer;
  readonly body: Buffer;
}

/**
 * A message, written by its sender (`ordinal` is that of the out message, from 1) or, if no account sent it or the sender
 * may not be in the index, by its receiver (`ordinal` 0). `lt` is the logical time of its creation, of an external message
 * that of the transaction that received it. Accounts and hashes are prefixes, see `src/index/format/position.ts`.
 */
export interface MessagesTable {
  readonly hash8: BigInteger;
  /** The sender; of an external message to an account its normalised hash. */
  readonly src8: BigInteger | null;
  readonly dst8: BigInteger | null;
  readonly body8: BigInteger;
  readonly lt: BigInteger;
  /** Position of the transaction in `tx_pages`. */
  readonly at: BigInteger;
  /** A stored time; null for external messages to an account. */
  readonly created_at: number | null;
  readonly opcode: number | null;
  readonly mc_seqno: number;
  readonly ordinal: number;
}

/**
 * Where what has a hash is, on a cluster; empty on a single server. `hash8` is a prefix of the hash, which is never unique;
 * `src/index/hash-places.ts` has the kinds.
 */
interface HashPlacesTable {
  readonly hash8: BigInteger;
  /** Position of the transaction in `tx_pages`; null for blocks, which are found by their masterchain seqno. */
  readonly at: BigInteger | null;
  readonly mc_seqno: number;
  readonly kind: number;
}

/** A complete trace: all its messages have arrived. `src/index/format/trace-info.ts` reads `info`. */
export interface TracesTable {
  readonly trace8: BigInteger;
  readonly end_lt: BigInteger;
  /** A stored time, see `storedTime`. */
  readonly end_utime: number;
  readonly mc_seqno_start: number;
  readonly mc_seqno_end: number;
  readonly nodes: number;
  readonly info: Buffer;
}

/** The accounts of complete traces. */
interface TraceAccountsTable {
  readonly acc8: BigInteger;
  readonly end_lt: BigInteger;
  readonly trace8: BigInteger;
  /** A stored time, see `storedTime`. */
  readonly end_utime: number;
  readonly mc_seqno_end: number;
}

/** A transaction of a trace in `open_traces`. */
interface OpenMembersTable {
  readonly trace_id: Buffer;
  readonly at: BigInteger;
  readonly acc8: BigInteger;
}

/** A trace that waits for messages, or whose start is not indexed. */
interface OpenTracesTable {
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

/** An internal message that was sent and has not arrived yet, or that arrived but whose sender is not indexed. */
interface WaitingMessagesTable {
  readonly hash: Buffer;
  readonly trace_id: Buffer;
  readonly mc_seqno: number;
}

/** Where a transaction is; accounts and hashes are prefixes, see `src/index/format/position.ts`. */
export interface TransactionsTable {
  readonly acc8: BigInteger;
  readonly lt: BigInteger;
  readonly hash8: BigInteger;
  /** Hash of the in message. */
  readonly in8: BigInteger | null;
  /** Position in `tx_pages`. */
  readonly at: BigInteger;
  /** A stored time, see `storedTime`. */
  readonly now: number;
  readonly mc_seqno: number;
}

/** An account state that no indexed transaction made. */
interface AccountStatesTable {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly balance: Decimal;
  readonly balance_extra: ExtraCurrencies | null;
  readonly status: AccountStatus;
  readonly code_hash: Buffer | null;
  readonly data_hash: Buffer | null;
  readonly frozen_hash: Buffer | null;
}

/** The latest known state of an account. */
interface LatestAccountStatesTable extends AccountStatesTable {
  readonly last_trans_lt: BigInteger;
  readonly last_trans_hash: Buffer;
  readonly timestamp: BigInteger;
  readonly mc_seqno: number;
}

/** A code and its get-method ids; null if it has no method dictionary. */
interface ContractCodesTable {
  readonly hash: Buffer;
  readonly boc: Buffer;
  readonly methods: BigIntegers | null;
}

/** The data of the latest known state of an account. */
interface AccountDataTable {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly boc: Buffer;
}

/** The transaction of an event, and who sent the request. Accounts are prefixes, see `src/index/format/position.ts`. */
interface EventColumns {
  readonly lt: BigInteger;
  readonly now: BigInteger;
  /** Position of the transaction in `tx_pages`. */
  readonly at: BigInteger;
  readonly src8: BigInteger;
  readonly mc_seqno: number;
  readonly aborted: boolean;
}

/** A burn request to a jetton wallet. */
interface JettonBurnsTable extends EventColumns {
  /** The jetton wallet. */
  readonly acc8: BigInteger;
  readonly token8: BigInteger;
  readonly jetton: Buffer;
}

/** A transfer request to a jetton wallet. */
interface JettonTransfersTable extends JettonBurnsTable {
  readonly dst8: BigInteger | null;
}

/** A transfer request to an NFT item. */
interface NftTransfersTable extends EventColumns {
  /** The item. */
  readonly acc8: BigInteger;
  readonly dst8: BigInteger | null;
  readonly token8: BigInteger | null;
  readonly collection: Buffer | null;
  readonly index: Decimal;
}

/** An event of an account that was not recognised yet. */
interface WaitingEventsTable extends EventColumns {
  readonly account: Buffer;
  readonly dst8: BigInteger | null;
  readonly kind: TokenRequestKind;
}

/** Contracts with metadata; named like their tables. */
export type TokenKind = 'jetton_masters' | 'nft_collections' | 'nft_items';

interface TokenMetadataTable {
  readonly account: Buffer;
  readonly kind: TokenKind;
  /** Hash of the content in the contract; when it changes, the metadata is read again. */
  readonly source_hash: Buffer;
  /** Whether it can be shown; null until it was fetched. */
  readonly valid: boolean | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly symbol: string | null;
  /** All other fields, as JSON. */
  readonly extra: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>;
  /** Why fetching failed. */
  readonly error: string | null;
  readonly is_nsfw: ColumnType<boolean, boolean | undefined, boolean>;
  readonly is_scam: ColumnType<boolean, boolean | undefined, boolean>;
  /** Unix seconds, as below. */
  readonly updated_at: BigInteger | null;
  readonly expires_at: BigInteger | null;
  readonly tries: ColumnType<number, number | undefined, number>;
  /** Higher priorities are fetched first. */
  readonly priority: ColumnType<number, number | undefined, number>;
  /** When to fetch it; null if there is nothing to fetch. */
  readonly next_try: DefaultTime | null;
}

/** A mintless jetton whose dictionary of airdrops was fetched, or could not be. */
interface MintlessDumpsTable {
  readonly jetton: Buffer;
  /** The hash that the dictionary must have. */
  readonly root: Buffer;
  /** Failed attempts since the last success. */
  readonly tries: Generated<number>;
  readonly next_try: DefaultTime;
  /** Why the last attempt failed. */
  readonly error: string | null;
}

/** An account whose code or data the blocks did not contain and that must be fetched. */
interface MissingCellsTable {
  readonly account: Buffer;
  readonly last_trans_lt: BigInteger;
  readonly tries: Generated<number>;
  readonly next_try: DefaultTime;
  /** Whether the contract still has to be recognised. */
  readonly undetected: Generated<boolean>;
}

/** The network and the origin of the index. One row. */
interface IndexOriginTable {
  readonly only_row: Generated<boolean>;
  readonly zero_state: Buffer;
  readonly first_seqno: number;
  readonly partition_seqnos: number;
  /** Changes whenever indexed blocks are taken back; a `uuid`. */
  readonly history_id: Generated<string>;
}

/** The complete state of a shard at a masterchain block that is imported from files, or was. */
interface StateImportsTable {
  readonly mc_seqno: number;
  readonly workchain: number;
  readonly shard: BigInteger;
  readonly hash: Buffer;
  /** The id of the last account that is written; null at the beginning. */
  readonly last_account: Buffer | null;
  readonly accounts: BigInteger;
  readonly finished_at: Date | null;
}

/**
 * A range of masterchain seqnos that one process indexes; `last_seqno` is null for the range that follows the head.
 */
interface IndexChunksTable {
  readonly first_seqno: number;
  readonly last_seqno: number | null;
  readonly done_seqno: number;
  readonly owner: string | null;
  readonly beat: DefaultTime;
}

/** A range of masterchain seqnos that may not be committed on all workers of a cluster; empty on a single server. */
interface AnnouncedWritesTable {
  /** The process of the connection that writes it. */
  readonly backend: number;
  readonly first_seqno: number;
  readonly last_seqno: number;
}
