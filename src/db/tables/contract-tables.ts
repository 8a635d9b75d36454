import type { ColumnType, Generated } from 'kysely';
import type { BigInteger, Decimal, Decimals } from './column-types.ts';

/** The columns of every contract table about the state in which the contract was recognised. */
interface StateColumns {
  readonly account: Buffer;
  /** Ascending in the order of indexing. */
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

interface JettonMastersTable extends StateColumns {
  readonly total_supply: Decimal;
  readonly mintable: boolean;
  readonly admin: Buffer | null;
  readonly content: Attributes;
  readonly wallet_code_hash: Buffer;
  /** Of a mintless jetton: the hash of its dictionary of airdrops. */
  readonly mintless_root: Buffer | null;
}

/** A jetton wallet that its jetton master confirms. */
interface JettonWalletsTable extends StateColumns {
  readonly balance: Decimal;
  readonly owner: Buffer;
  readonly jetton: Buffer;
  /** Whether the airdrop of a mintless jetton was claimed; null for other jettons. */
  readonly mintless_is_claimed: boolean | null;
  /** The hash of the dictionary of airdrops in which the owner was looked up; the columns below are null if it is not in it. */
  readonly mintless_root: Buffer | null;
  readonly mintless_amount: Decimal | null;
  /** Unix seconds, as below. */
  readonly mintless_start_from: BigInteger | null;
  readonly mintless_expire_at: BigInteger | null;
}

/** An NFT collection. */
export interface NftCollectionsTable extends StateColumns {
  /** -1 if items are not numbered. */
  readonly next_item_index: Decimal;
  readonly owner: Buffer | null;
  readonly content: Attributes;
}

/** An NFT item; if it names a collection, the collection confirms it. */
export interface NftItemsTable extends StateColumns {
  readonly init: boolean;
  readonly index: Decimal;
  readonly collection: Buffer | null;
  readonly owner: Buffer | null;
  readonly content: Attributes;
}

/** A GetGems fixed-price sale, of any version. */
export interface NftSalesTable extends StateColumns {
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
  /** Prices in jettons, keyed by the raw address in the sale contract: its own wallet of each jetton. */
  readonly jetton_prices: Attributes | null;
}

/** A GetGems auction, of any version. */
export interface NftAuctionsTable extends StateColumns {
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
  /** Null before version 4, as are all below. */
  readonly activated: boolean | null;
  readonly step_time: BigInteger | null;
  readonly last_query_id: Decimal | null;
  readonly jetton_wallet: Buffer | null;
  readonly jetton_master: Buffer | null;
  readonly is_broken_state: boolean | null;
  readonly public_key: Buffer | null;
}

/** A Fragment NFT: a user name, an anonymous number, or a gift. */
export interface TelemintItemsTable extends StateColumns {
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
interface DnsEntriesTable extends StateColumns {
  readonly owner: Buffer | null;
  readonly domain: string;
  readonly next_resolver: Buffer | null;
  readonly wallet: Buffer | null;
  readonly site_adnl: Buffer | null;
  readonly storage_bag_id: Buffer | null;
  /** The highest bidder, if the domain is in an auction; the two below come with it. */
  readonly max_bid_address: Buffer | null;
  readonly max_bid_amount: Decimal | null;
  /** Unix seconds, as below. */
  readonly auction_end_time: BigInteger | null;
  readonly last_fill_up_time: BigInteger | null;
}

/** A multisig wallet of version 2. */
export interface MultisigsTable extends StateColumns {
  readonly next_order_seqno: Decimal;
  readonly threshold: BigInteger;
  readonly signers: readonly Buffer[];
  readonly proposers: readonly Buffer[];
}

/** An order of a multisig wallet that the wallet confirms. */
export interface MultisigOrdersTable extends StateColumns {
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

interface VestingsTable extends StateColumns {
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
export interface NominatorPoolsTable extends StateColumns {
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
  /** All entries of its dictionary, by ascending address; balances are in the same order. */
  readonly nominators: readonly Buffer[];
  readonly nominator_balances: Decimals;
  readonly nominator_pending_balances: Decimals;
}

/** A DEX pool that its factory confirms; an asset is null for TON. */
interface DexPoolsTable extends StateColumns {
  readonly dex: string;
  readonly is_stable: boolean;
  readonly asset_1: Buffer | null;
  readonly asset_2: Buffer | null;
  readonly reserve_1: Decimal;
  readonly reserve_2: Decimal;
  readonly fee: number;
}

/** The tables with one row per contract. */
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

/** The name of a contract table. */
export type ContractTable = keyof ContractTables;

/** All contract tables, in the order in which they are written. */
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
