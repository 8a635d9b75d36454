import type { ColumnType, Generated } from 'kysely';
import type { AccountStatus, SkipReason, StatusChange } from '../chain/tlb/transaction-phases.ts';

/** A `timestamptz` that may be left out when a row is written. */
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface ApiKeysTable {
  /** `bigint`, which pg hands out as a decimal string. */
  readonly id: Generated<string>;
  /** SHA-256 of the key; the key itself is stored nowhere. */
  readonly hash: Buffer;
  readonly name: string;
  readonly plan: string;
  /** Networks the key may be used on; empty means all. */
  readonly networks: ColumnType<string[], readonly string[] | undefined, readonly string[]>;
  readonly rps: number;
  readonly created_at: ColumnType<Date, Date | undefined, never>;
  readonly last_used_at: OptionalTime;
  readonly revoked_at: OptionalTime;
}

/** The tables as Kysely sees them; `migrations/` makes them and `test/db/schema.sql` shows the result. */
export interface Tables extends ContractTables {
  readonly api_keys: ApiKeysTable;
  readonly blocks: BlocksTable;
  readonly shard_states: ShardStatesTable;
  readonly transactions: TransactionsTable;
  readonly messages: MessagesTable;
  readonly message_contents: MessageContentsTable;
  readonly traces: TracesTable;
  readonly trace_accounts: TraceAccountsTable;
  readonly open_traces: OpenTracesTable;
  readonly pending_messages: PendingMessagesTable;
  readonly orphan_messages: OrphanMessagesTable;
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
  readonly actions: ActionsTable;
  readonly action_accounts: ActionAccountsTable;
  readonly unclassified_traces: UnclassifiedTracesTable;
  readonly classification_ranges: ClassificationRangesTable;
  readonly classification_faults: ClassificationFaultsTable;
  readonly waiting_traces: WaitingTracesTable;
  readonly index_origin: IndexOriginTable;
  readonly index_chunks: IndexChunksTable;
}

/** A `bigint`: pg hands it out as a decimal string, because it may be larger than a number can say exactly. */
type BigInteger = ColumnType<string, string | number | bigint, string | number | bigint>;

/** A `bigint[]`, handed out as decimal strings. */
type BigIntegers = ColumnType<
  readonly string[],
  readonly (string | number | bigint)[],
  readonly (string | number | bigint)[]
>;

/** A `numeric` that holds a whole number, handed out as a decimal string. */
type Decimal = ColumnType<string, string | number | bigint, string | number | bigint>;

/** Extra currencies as `jsonb`: amounts by currency id, both decimal; null when there are none. */
type ExtraCurrencies = ColumnType<Readonly<Record<string, string>>, string, string>;

/** A `timestamptz` that the database fills in when it is left out. */
type DefaultTime = ColumnType<Date, Date | undefined, Date>;

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
interface ShardStatesTable {
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
interface MessageContentsTable {
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
interface TraceAccountsTable {
  readonly account: Buffer;
  readonly end_lt: BigInteger;
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
  readonly end_utime: BigInteger;
}

/** A trace that waits for messages, or whose beginning is not indexed. */
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

/** An internal message that was sent and has not arrived. */
interface PendingMessagesTable {
  readonly hash: Buffer;
  readonly trace_id: Buffer;
  readonly mc_seqno: number;
}

/** An internal message that arrived and whose sender is not indexed. */
interface OrphanMessagesTable {
  readonly hash: Buffer;
  readonly trace_id: Buffer;
  readonly mc_seqno: number;
}

type TransactionKind =
  | 'ord'
  | 'storage'
  | 'tick_tock'
  | 'split_prepare'
  | 'split_install'
  | 'merge_prepare'
  | 'merge_install';

type BounceKind = 'negfunds' | 'nofunds' | 'ok';

/** A transaction with the state of the account after it, as far as the block shows it. */
export interface TransactionsTable {
  readonly trace_id: Buffer;
  readonly account: Buffer;
  readonly lt: BigInteger;
  readonly hash: Buffer;
  readonly mc_seqno: number;
  readonly block_shard: BigInteger;
  readonly block_seqno: number;
  readonly prev_hash: Buffer;
  readonly prev_lt: BigInteger;
  readonly now: BigInteger;
  readonly kind: TransactionKind;
  readonly orig_status: AccountStatus;
  readonly end_status: AccountStatus;
  readonly total_fees: Decimal;
  readonly total_fees_extra: ExtraCurrencies | null;
  readonly state_hash_before: Buffer;
  readonly state_hash_after: Buffer;
  readonly balance: Decimal | null;
  readonly balance_extra: ExtraCurrencies | null;
  readonly code_hash: Buffer | null;
  readonly data_hash: Buffer | null;
  readonly frozen_hash: Buffer | null;
  readonly aborted: boolean | null;
  readonly destroyed: boolean | null;
  readonly credit_first: boolean | null;
  readonly is_tock: boolean | null;
  readonly installed: boolean | null;
  readonly storage_fees_collected: Decimal | null;
  readonly storage_fees_due: Decimal | null;
  readonly storage_status_change: StatusChange | null;
  readonly credit_due_fees_collected: Decimal | null;
  readonly credit: Decimal | null;
  readonly credit_extra: ExtraCurrencies | null;
  readonly compute_skipped: boolean | null;
  readonly compute_skip_reason: SkipReason | null;
  readonly compute_success: boolean | null;
  readonly compute_msg_state_used: boolean | null;
  readonly compute_account_activated: boolean | null;
  readonly compute_gas_fees: Decimal | null;
  readonly compute_gas_used: BigInteger | null;
  readonly compute_gas_limit: BigInteger | null;
  readonly compute_gas_credit: number | null;
  readonly compute_mode: number | null;
  readonly compute_exit_code: number | null;
  readonly compute_exit_arg: number | null;
  readonly compute_vm_steps: BigInteger | null;
  readonly compute_vm_init_state_hash: Buffer | null;
  readonly compute_vm_final_state_hash: Buffer | null;
  readonly action_success: boolean | null;
  readonly action_valid: boolean | null;
  readonly action_no_funds: boolean | null;
  readonly action_status_change: StatusChange | null;
  readonly action_total_fwd_fees: Decimal | null;
  readonly action_total_action_fees: Decimal | null;
  readonly action_result_code: number | null;
  readonly action_result_arg: number | null;
  readonly action_tot_actions: number | null;
  readonly action_spec_actions: number | null;
  readonly action_skipped_actions: number | null;
  readonly action_msgs_created: number | null;
  readonly action_list_hash: Buffer | null;
  readonly action_tot_msg_size_cells: BigInteger | null;
  readonly action_tot_msg_size_bits: BigInteger | null;
  readonly bounce: BounceKind | null;
  readonly bounce_msg_size_cells: BigInteger | null;
  readonly bounce_msg_size_bits: BigInteger | null;
  readonly bounce_req_fwd_fees: Decimal | null;
  readonly bounce_msg_fees: Decimal | null;
  readonly bounce_fwd_fees: Decimal | null;
  readonly split_cur_shard_pfx_len: number | null;
  readonly split_acc_split_depth: number | null;
  readonly split_this_addr: Buffer | null;
  readonly split_sibling_addr: Buffer | null;
}

/** A state that no indexed transaction made. */
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

/** The newest known state of an account. */
interface LatestAccountStatesTable {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly status: AccountStatus;
  readonly balance: Decimal;
  readonly balance_extra: ExtraCurrencies | null;
  readonly code_hash: Buffer | null;
  readonly data_hash: Buffer | null;
  readonly frozen_hash: Buffer | null;
  readonly last_trans_lt: BigInteger;
  readonly last_trans_hash: Buffer;
  readonly timestamp: BigInteger;
  readonly mc_seqno: number;
}

/** A code and the ids of its get-methods; null when it has no dictionary of methods. */
interface ContractCodesTable {
  readonly hash: Buffer;
  readonly boc: Buffer;
  readonly methods: BigIntegers | null;
}

/** The data of the newest known state of an account. */
interface AccountDataTable {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly boc: Buffer;
}

/** What every table of contracts has of the state that was recognised. */
interface OfState {
  readonly account: Buffer;
  /** In which order they were found. */
  readonly id: Generated<string>;
  readonly last_transaction_lt: BigInteger;
  readonly code_hash: Buffer;
  readonly data_hash: Buffer;
}

/** Attributes of a token by name, as `jsonb`. */
type Attributes = ColumnType<
  Readonly<Record<string, string>>,
  Readonly<Record<string, string>>,
  Readonly<Record<string, string>>
>;

/** A jetton. */
interface JettonMastersTable extends OfState {
  readonly total_supply: Decimal;
  readonly mintable: boolean;
  readonly admin: Buffer | null;
  readonly content: Attributes;
  readonly wallet_code_hash: Buffer;
}

/** A wallet of a jetton that the jetton agrees to. */
interface JettonWalletsTable extends OfState {
  readonly balance: Decimal;
  readonly owner: Buffer;
  readonly jetton: Buffer;
  /** Whether what a mintless jetton gave was taken; null for other jettons. */
  readonly mintless_is_claimed: boolean | null;
}

/** A collection of NFTs. */
export interface NftCollectionsTable extends OfState {
  /** -1 where items are not numbered. */
  readonly next_item_index: Decimal;
  readonly owner: Buffer | null;
  readonly content: Attributes;
}

/** An NFT; its collection, if it names one, agrees to it. */
export interface NftItemsTable extends OfState {
  readonly init: boolean;
  readonly index: Decimal;
  readonly collection: Buffer | null;
  readonly owner: Buffer | null;
  readonly content: Attributes;
}

/** A GetGems sale for a fixed price, of any version. */
export interface NftSalesTable extends OfState {
  readonly is_complete: boolean;
  readonly created_at: BigInteger;
  readonly marketplace: Buffer;
  readonly nft: Buffer;
  readonly nft_owner: Buffer | null;
  readonly full_price: Decimal;
  readonly marketplace_fee_address: Buffer;
  readonly marketplace_fee: Decimal;
  readonly royalty_address: Buffer;
  readonly royalty_amount: Decimal;
  /** Null before version 4, as are the two below. */
  readonly sold_at: BigInteger | null;
  readonly sold_query_id: Decimal | null;
  /** Prices in jettons, by the raw address that stands in the sale: its own wallet of each jetton. */
  readonly jetton_prices: Attributes | null;
}

/** A GetGems auction, of any version. */
export interface NftAuctionsTable extends OfState {
  readonly end_flag: boolean;
  readonly end_time: BigInteger;
  readonly marketplace: Buffer;
  readonly nft: Buffer;
  readonly nft_owner: Buffer | null;
  readonly last_bid: Decimal;
  readonly last_member: Buffer | null;
  readonly min_step: BigInteger;
  readonly marketplace_fee_address: Buffer;
  readonly marketplace_fee_factor: BigInteger;
  readonly marketplace_fee_base: BigInteger;
  readonly royalty_address: Buffer;
  readonly royalty_factor: BigInteger;
  readonly royalty_base: BigInteger;
  readonly max_bid: Decimal;
  readonly min_bid: Decimal;
  readonly created_at: BigInteger;
  readonly last_bid_at: BigInteger;
  readonly is_canceled: boolean;
  /** Null before version 4, as is all below. */
  readonly activated: boolean | null;
  readonly step_time: BigInteger | null;
  readonly last_query_id: Decimal | null;
  readonly jetton_wallet: Buffer | null;
  readonly jetton_master: Buffer | null;
  readonly is_broken_state: boolean | null;
  readonly public_key: Buffer | null;
}

/** An NFT of Fragment: a user name, a number, or a gift. */
export interface TelemintItemsTable extends OfState {
  readonly token_name: string;
  readonly bidder: Buffer | null;
  readonly bid: Decimal;
  readonly bid_ts: BigInteger;
  readonly min_bid: Decimal;
  readonly end_time: BigInteger;
  readonly beneficiary: Buffer | null;
  readonly initial_min_bid: Decimal;
  readonly max_bid: Decimal;
  readonly min_bid_step: Decimal;
  readonly min_extend_time: BigInteger;
  readonly duration: BigInteger;
  readonly royalty_numerator: BigInteger;
  readonly royalty_denominator: BigInteger;
  readonly royalty_destination: Buffer;
}

/** A domain of .ton or .t.me and its records. */
interface DnsEntriesTable extends OfState {
  readonly owner: Buffer | null;
  readonly domain: string;
  readonly next_resolver: Buffer | null;
  readonly wallet: Buffer | null;
  readonly site_adnl: Buffer | null;
  readonly storage_bag_id: Buffer | null;
}

/** A multisig wallet of version 2. */
export interface MultisigsTable extends OfState {
  readonly next_order_seqno: Decimal;
  readonly threshold: BigInteger;
  readonly signers: readonly Buffer[];
  readonly proposers: readonly Buffer[];
}

/** An order of a multisig wallet that the wallet agrees to. */
export interface MultisigOrdersTable extends OfState {
  readonly multisig: Buffer;
  readonly order_seqno: Decimal;
  readonly threshold: BigInteger;
  readonly sent_for_execution: boolean;
  readonly approvals_mask: Decimal;
  readonly approvals_num: BigInteger;
  readonly expiration_date: BigInteger;
  readonly order_boc: Buffer;
  readonly signers: readonly Buffer[];
}

/** A vesting wallet. */
interface VestingsTable extends OfState {
  readonly start_time: BigInteger;
  readonly total_duration: BigInteger;
  readonly unlock_period: BigInteger;
  readonly cliff_duration: BigInteger;
  readonly total_amount: Decimal;
  readonly sender: Buffer;
  readonly owner: Buffer;
  readonly whitelist: readonly Buffer[];
}

/** A nominator pool. */
interface NominatorPoolsTable extends OfState {
  readonly state: BigInteger;
  readonly nominators_count: BigInteger;
  readonly stake_amount_sent: Decimal;
  readonly validator_amount: Decimal;
  readonly validator: Buffer;
  readonly validator_reward_share: BigInteger;
  readonly max_nominators_count: BigInteger;
  readonly min_validator_stake: Decimal;
  readonly min_nominator_stake: Decimal;
  readonly stake_at: BigInteger;
}

/** A pool of an exchange that its factory agrees to; null for the coin of the chain itself. */
interface DexPoolsTable extends OfState {
  readonly dex: string;
  readonly is_stable: boolean;
  readonly asset_1: Buffer | null;
  readonly asset_2: Buffer | null;
  readonly reserve_1: Decimal;
  readonly reserve_2: Decimal;
  readonly fee: number;
}

/** The tables that have one row a contract. */
export interface ContractTables {
  readonly jetton_masters: JettonMastersTable;
  readonly jetton_wallets: JettonWalletsTable;
  readonly nft_collections: NftCollectionsTable;
  readonly nft_items: NftItemsTable;
  readonly nft_sales: NftSalesTable;
  readonly nft_auctions: NftAuctionsTable;
  readonly telemint_items: TelemintItemsTable;
  readonly dns_entries: DnsEntriesTable;
  readonly multisigs: MultisigsTable;
  readonly multisig_orders: MultisigOrdersTable;
  readonly vestings: VestingsTable;
  readonly nominator_pools: NominatorPoolsTable;
  readonly dex_pools: DexPoolsTable;
}

/** The name of one of them. */
export type ContractTable = keyof ContractTables;

/** All of them, in the order in which they are written. */
export const CONTRACT_TABLES = [
  'jetton_masters',
  'jetton_wallets',
  'nft_collections',
  'nft_items',
  'nft_sales',
  'nft_auctions',
  'telemint_items',
  'dns_entries',
  'multisigs',
  'multisig_orders',
  'vestings',
  'nominator_pools',
  'dex_pools',
] as const satisfies readonly ContractTable[];

/** The transaction of an event: `account` is the jetton wallet or the NFT that was asked to do it. */
interface OfTransaction {
  readonly account: Buffer;
  readonly lt: BigInteger;
  readonly mc_seqno: number;
  readonly now: BigInteger;
  readonly aborted: boolean;
  readonly query_id: Decimal;
}

/** A wallet of a jetton was asked to send some of it. */
export interface JettonTransfersTable extends OfTransaction {
  readonly jetton: Buffer;
  readonly amount: Decimal;
  readonly source: Buffer;
  readonly destination: Buffer | null;
  readonly response_destination: Buffer | null;
  readonly custom_payload: Buffer | null;
  readonly forward_ton_amount: Decimal;
  /** Null also where the payload is inside the message itself. */
  readonly forward_payload: Buffer | null;
}

/** A wallet of a jetton was asked to burn some of it. */
export interface JettonBurnsTable extends OfTransaction {
  readonly jetton: Buffer;
  readonly amount: Decimal;
  readonly owner: Buffer;
  readonly response_destination: Buffer | null;
  readonly custom_payload: Buffer | null;
}

/** An NFT was asked to go to another owner. */
export interface NftTransfersTable extends OfTransaction {
  readonly collection: Buffer | null;
  readonly index: Decimal;
  readonly old_owner: Buffer;
  readonly new_owner: Buffer | null;
  readonly response_destination: Buffer | null;
  readonly custom_payload: Buffer | null;
  readonly forward_amount: Decimal;
  readonly forward_payload: Buffer | null;
}

/** What an event asks for. */
export type EventKind = 'jetton_transfer' | 'jetton_burn' | 'nft_transfer';

/** An event of an account of which it is not known yet what it is. */
interface WaitingEventsTable extends OfTransaction {
  readonly kind: EventKind;
  readonly amount: Decimal | null;
  readonly source: Buffer;
  readonly destination: Buffer | null;
  readonly response_destination: Buffer | null;
  readonly custom_payload: Buffer | null;
  readonly forward_amount: Decimal | null;
  readonly forward_payload: Buffer | null;
}

/** Contracts that have a name and an image to show; named like their tables. */
export type TokenKind = 'jetton_masters' | 'nft_collections' | 'nft_items';

/** What is shown of a token. */
interface TokenMetadataTable {
  readonly account: Buffer;
  readonly kind: TokenKind;
  /** Of the content that the contract has; when it changes, everything is read anew. */
  readonly source_hash: Buffer;
  /** Whether it can be shown; null as long as it was not fetched. */
  readonly valid: boolean | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly symbol: string | null;
  /** Everything else, as JSON. */
  readonly extra: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>;
  /** Why it was not to be had. */
  readonly error: string | null;
  readonly is_nsfw: ColumnType<boolean, boolean | undefined, boolean>;
  readonly is_scam: ColumnType<boolean, boolean | undefined, boolean>;
  /** Unix seconds, as below. */
  readonly updated_at: BigInteger | null;
  readonly expires_at: BigInteger | null;
  readonly tries: ColumnType<number, number | undefined, number>;
  /** Those with a higher one are fetched first. */
  readonly priority: ColumnType<number, number | undefined, number>;
  /** When it is fetched; null when nothing is to be fetched. */
  readonly next_try: DefaultTime | null;
}

/** A value inside a group of columns: whole numbers that may be large are decimal strings. */
type StoredValue =
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
interface ActionAccountsTable {
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
interface UnclassifiedTracesTable {
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
interface ClassificationRangesTable {
  readonly id: Generated<string>;
  readonly first_seqno: number;
  readonly last_seqno: number;
  /** Only traces that have an action of one of these types; null for all. */
  readonly types: readonly string[] | null;
  /** Whether they were classified before. */
  readonly again: Generated<boolean>;
}

/** A trace that has only basic actions because the rules failed, or none because it is too large. */
interface ClassificationFaultsTable {
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
  readonly too_large: boolean;
  readonly reason: string;
}

/** A trace that was classified before it was known what one of its accounts is. */
interface WaitingTracesTable {
  readonly account: Buffer;
  readonly trace_id: Buffer;
  readonly mc_seqno_end: number;
}

/** An account whose code or data the blocks did not show and that must be asked for. */
interface MissingCellsTable {
  readonly account: Buffer;
  readonly last_trans_lt: BigInteger;
  readonly tries: Generated<number>;
  readonly next_try: DefaultTime;
  /** Whether it must still be found out what the contract is. */
  readonly undetected: Generated<boolean>;
}

/** What the index is of. One row. */
interface IndexOriginTable {
  readonly only_row: Generated<boolean>;
  readonly zero_state: Buffer;
  readonly first_seqno: number;
  readonly partition_seqnos: number;
}

/**
 * A range of masterchain seqnos that one process works on; null for the end of the one that follows the
 * head.
 */
interface IndexChunksTable {
  readonly first_seqno: number;
  readonly last_seqno: number | null;
  readonly done_seqno: number;
  readonly owner: string | null;
  readonly beat: DefaultTime;
}
