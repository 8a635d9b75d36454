import { isUtf8 } from 'node:buffer';
import { formatRaw } from '../../chain/address.ts';
import { readNftItem } from '../../chain/contracts/nft.ts';
import {
  type ContractReader,
  type MethodResult,
  mismatchOnCellError,
  throwMismatch,
  undefinedOnMismatch,
} from '../../chain/contracts/probe.ts';
import { MAX_STORED_CONTENT_BYTES, readSnake } from '../../chain/contracts/token-content.ts';
import { type CellEntry, openEntry } from '../../chain/stack/entries.ts';
import { walkDictionary } from '../../chain/tlb/dictionary.ts';
import type { ContractColumns } from '../../index/write/write-contracts.ts';
import type { Detector } from '../detection.ts';
import { ResultColumns } from './result-columns.ts';

/** FIXP */
const SALE_MAGIC = 0x46495850n;
const MAX_PRICES = 1000;

type Sale = ContractColumns<'nft_sales'>;

/** A GetGems fixed price sale of any version. */
export const NFT_SALE: Detector<'nft_sales'> = {
  table: 'nft_sales',
  methods: [['get_sale_data'], ['get_fix_price_data_v4']],
  detect: async (probe) => (await undefinedOnMismatch(readOldSale(probe))) ?? readSaleV4(probe),
};

async function readOldSale(probe: ContractReader): Promise<Sale> {
  const result = (await probe.run('get_sale_data')).atLeast(11);
  if (result.integer(0) !== SALE_MAGIC) return throwMismatch('not a fixed price sale');
  return { ...readSaleTerms(result, 1), sold_at: null, sold_query_id: null, jetton_prices: null };
}

async function readSaleV4(probe: ContractReader): Promise<Sale> {
  const result = (await probe.run('get_fix_price_data_v4')).atLeast(13);
  const columns = new ResultColumns(result);
  return {
    ...readSaleTerms(result, 0),
    sold_at: columns.int64(10),
    sold_query_id: columns.decimal(11),
    jetton_prices: readPrices(result.maybeCell(12)),
  };
}

/** The fields that all versions have, from an index on. */
function readSaleTerms(result: MethodResult, at: number) {
  const columns = new ResultColumns(result);
  return {
    is_complete: columns.flag(at),
    created_at: columns.int64(at + 1),
    marketplace: columns.account(at + 2),
    nft: columns.account(at + 3),
    nft_owner: columns.accountOrNull(at + 4),
    full_price: columns.decimal(at + 5),
    marketplace_fee_address: columns.account(at + 6),
    marketplace_fee: columns.decimal(at + 7),
    royalty_address: columns.account(at + 8),
    royalty_amount: columns.decimal(at + 9),
  };
}

/** Prices by the jetton wallets of the sale, which are in the basechain; data after a price is ignored. */
function readPrices(dictionary: CellEntry | undefined): Record<string, string> | null {
  if (dictionary === undefined) return null;
  const prices: Record<string, string> = {};
  let count = 0;
  mismatchOnCellError(() =>
    walkDictionary(dictionary.cells, dictionary.cell, 256, (hash, value) => {
      if (++count > MAX_PRICES) throwMismatch('too many prices');
      prices[formatRaw({ workchain: 0, hash }, 'upper')] = value.coins().toString();
    }),
  );
  return prices;
}

/** AUC */
const AUCTION_MAGIC = 0x415543n;

type Auction = ContractColumns<'nft_auctions'>;

/** A GetGems auction, of any version. */
export const NFT_AUCTION: Detector<'nft_auctions'> = {
  table: 'nft_auctions',
  methods: [['get_auction_data_v4'], ['get_sale_data']],
  detect: async (probe) => (await undefinedOnMismatch(readAuctionV4(probe))) ?? readOldAuction(probe),
};

async function readAuctionV4(probe: ContractReader): Promise<Auction> {
  const result = (await probe.run('get_auction_data_v4')).atLeast(26);
  const columns = new ResultColumns(result);
  return {
    activated: columns.flag(0),
    ...readAuctionTerms(result),
    step_time: columns.int64(20),
    last_query_id: columns.decimal(21),
    jetton_wallet: columns.accountOrNull(22),
    jetton_master: columns.accountOrNull(23),
    is_broken_state: columns.flag(24),
    public_key: columns.bits256(25),
  };
}

async function readOldAuction(probe: ContractReader): Promise<Auction> {
  const result = (await probe.run('get_sale_data')).atLeast(20);
  if (result.integer(0) !== AUCTION_MAGIC) return throwMismatch('not an auction');
  return {
    ...readAuctionTerms(result),
    activated: null,
    step_time: null,
    last_query_id: null,
    jetton_wallet: null,
    jetton_master: null,
    is_broken_state: null,
    public_key: null,
  };
}

/** The fields that all versions have at the same indexes. */
function readAuctionTerms(result: MethodResult) {
  const columns = new ResultColumns(result);
  return {
    end_flag: columns.flag(1),
    end_time: columns.int64(2),
    marketplace: columns.account(3),
    nft: columns.account(4),
    nft_owner: columns.accountOrNull(5),
    last_bid: columns.decimal(6),
    last_member: columns.accountOrNull(7),
    min_step: columns.int64(8),
    marketplace_fee_address: columns.account(9),
    marketplace_fee_factor: columns.int64(10),
    marketplace_fee_base: columns.int64(11),
    royalty_address: columns.account(12),
    royalty_factor: columns.int64(13),
    royalty_base: columns.int64(14),
    max_bid: columns.decimal(15),
    min_bid: columns.decimal(16),
    created_at: columns.int64(17),
    last_bid_at: columns.int64(18),
    is_canceled: columns.flag(19),
  };
}

const NO_AUCTION = { bidder: null, bid: 0n, bid_ts: 0n, min_bid: 0n, end_time: 0n };

/** A Fragment NFT item. Without an auction config its beneficiary is null, which is a mismatch. */
export const TELEMINT_ITEM: Detector<'telemint_items'> = {
  table: 'telemint_items',
  methods: [['get_nft_data', 'get_telemint_token_name', 'get_telemint_auction_config', 'royalty_params']],
  async detect(probe) {
    await readNftItem(probe, MAX_STORED_CONTENT_BYTES);
    const [name, auction, terms, royalty] = await Promise.all([
      probe.run('get_telemint_token_name'),
      undefinedOnMismatch(readAuction(probe)),
      probe.run('get_telemint_auction_config'),
      probe.run('royalty_params'),
    ]);
    return {
      token_name: readName(name),
      ...(auction ?? NO_AUCTION),
      ...readTerms(terms.atLeast(6)),
      ...readRoyalty(royalty.atLeast(3)),
    };
  },
};

function readName(result: MethodResult): string {
  const bytes = mismatchOnCellError(() => readSnake(openEntry(result.part(0)), MAX_STORED_CONTENT_BYTES));
  if (bytes === undefined || !isUtf8(bytes)) return throwMismatch('text expected');
  return bytes.toString('utf8').replaceAll('\0', '');
}

async function readAuction(probe: ContractReader) {
  const result = (await probe.run('get_telemint_auction_state')).atLeast(5);
  const columns = new ResultColumns(result);
  return {
    bidder: readParty(result),
    bid: columns.decimal(1),
    bid_ts: columns.int64(2),
    min_bid: columns.decimal(3),
    end_time: columns.int64(4),
  };
}

function readTerms(result: MethodResult) {
  const columns = new ResultColumns(result);
  return {
    beneficiary: readParty(result),
    initial_min_bid: columns.decimal(1),
    max_bid: columns.decimal(2),
    min_bid_step: columns.decimal(3),
    min_extend_time: columns.int64(4),
    duration: columns.int64(5),
  };
}

function readRoyalty(result: MethodResult) {
  const columns = new ResultColumns(result);
  return {
    royalty_numerator: columns.int64(0),
    royalty_denominator: columns.int64(1),
    royalty_destination: columns.account(2),
  };
}

/** The account at index 0; none is addr_none or an empty cell. */
function readParty(result: MethodResult): Buffer | null {
  const bits = mismatchOnCellError(() => openEntry(result.part(0)).bitsLeft);
  return bits === 0 ? null : new ResultColumns(result).accountOrNull(0);
}
