import { readBoc } from '../../../chain/boc/bag.ts';
import { CellError } from '../../../chain/boc/cells.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { readStateInit } from '../../../chain/tlb/account.ts';
import { readAccount } from '../../rules/read-body.ts';
import { RuleMismatch } from '../../rules/rule.ts';

/** The initial terms of a sale; price shares instead of amounts are left out. */
export interface SaleState {
  readonly marketplace: string | null;
  readonly fullPrice: bigint;
  readonly feeAddress: string | null;
  readonly fee: bigint | null;
  readonly royaltyAddress: string | null;
  readonly royalty: bigint | null;
}

/** The initial terms of an auction. */
export interface AuctionState {
  readonly feeAddress: string | null;
  readonly feeFactor: number;
  readonly feeBase: number;
  readonly royaltyAddress: string | null;
  readonly royaltyBase: number;
  readonly minBid: bigint;
  readonly maxBid: bigint;
}

const SALES: Readonly<Record<string, (data: Slice) => SaleState>> = {
  '2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=': readSaleV1,
  'gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=': readSaleV2,
  'MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=': readSaleV2,
  '3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=': readSaleV2,
  'JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=': readSaleV2,
  'a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y=': readSaleV4,
};

const AUCTIONS: Readonly<Record<string, (data: Slice) => AuctionState>> = {
  '/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=': readAuctionV1,
  'ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=': () => {
    throw new RuleMismatch('unknown layout version');
  },
  'G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=': readAuctionV3r2,
  'u29ireD+stefqzuK6/CTCvmFU99gCTsgJ/Covxab/Ow=': readAuctionV3r3,
  'zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=': readAuctionV4,
};

/** Reads the terms of a sale from its state init. Unknown code is treated as the newest version. */
export function readSaleState(init: Buffer, codeHash: string | null): SaleState {
  return (SALES[codeHash ?? ''] ?? readSaleV4)(dataOf(init));
}

/** Reads the terms of an auction from its state init. */
export function readAuctionState(init: Buffer, codeHash: string | null): AuctionState {
  return (AUCTIONS[codeHash ?? ''] ?? readAuctionV3r3)(dataOf(init));
}

function dataOf(init: Buffer): Slice {
  const bag = readBoc(init);
  const { data } = readStateInit(new Slice(bag, bag.root));
  if (data < 0) throw new CellError('a contract without data');
  return new Slice(bag, data);
}

/** The start of the layout of all versions but the newest. */
function readSaleHead(data: Slice): Pick<SaleState, 'marketplace' | 'fullPrice'> {
  const marketplace = readAccount(data);
  // The NFT and its owner.
  readAccount(data);
  readAccount(data);
  return { marketplace, fullPrice: data.coins() };
}

function readSaleV1(data: Slice): SaleState {
  const head = readSaleHead(data);
  const fees = data.refSlice();
  const fee = fees.coins();
  const feeAddress = readAccount(fees);
  const royaltyAddress = readAccount(fees);
  return { ...head, fee, feeAddress, royaltyAddress, royalty: fees.coins() };
}

function readSaleV2(data: Slice): SaleState {
  // is_complete and created_at.
  data.skip(1 + 32);
  const head = readSaleHead(data);
  const fees = data.refSlice();
  const feeAddress = readAccount(fees);
  const fee = fees.coins();
  const royaltyAddress = readAccount(fees);
  return { ...head, feeAddress, fee, royaltyAddress, royalty: fees.coins() };
}

function readSaleV4(data: Slice): SaleState {
  data.skip(1);
  const marketplace = readAccount(data);
  readAccount(data);
  const fullPrice = data.coins();
  data.skip(32 + 64);
  const fees = data.refSlice();
  const feeAddress = readAccount(fees);
  const royaltyAddress = readAccount(fees);
  fees.skip(17 + 17);
  return { marketplace, fullPrice, feeAddress, fee: null, royaltyAddress, royalty: null };
}

type Fees = Omit<AuctionState, 'minBid' | 'maxBid'>;

/** Each address followed by its share. */
function readFees(slice: Slice): Fees {
  const feeAddress = readAccount(slice);
  const feeFactor = slice.uint(32);
  const feeBase = slice.uint(32);
  const royaltyAddress = readAccount(slice);
  slice.skip(32);
  return { feeAddress, feeFactor, feeBase, royaltyAddress, royaltyBase: slice.uint(32) };
}

/** Both addresses from one slice, both shares from another, which may be the same. */
function readFeesApart(addresses: Slice, shares: Slice): Fees {
  const feeAddress = readAccount(addresses);
  const royaltyAddress = readAccount(addresses);
  const feeFactor = shares.uint(32);
  const feeBase = shares.uint(32);
  shares.skip(32);
  return { feeAddress, feeFactor, feeBase, royaltyAddress, royaltyBase: shares.uint(32) };
}

function readBids(slice: Slice): Pick<AuctionState, 'minBid' | 'maxBid'> {
  const minBid = slice.coins();
  return { minBid, maxBid: slice.coins() };
}

function readAuctionV1(data: Slice): AuctionState {
  const fees = readFees(data.refSlice());
  return { ...fees, ...readBids(data.refSlice()) };
}

/** Last bid fields, empty at first, and the end time. */
function skipProgress(data: Slice, flags: number): void {
  data.skip(flags);
  readAccount(data);
  data.coins();
  data.skip(32 + 32);
}

function readAuctionV3r2(data: Slice): AuctionState {
  skipProgress(data, 3);
  const fees = readFees(data.refSlice());
  const terms = data.refSlice();
  terms.skip(32);
  readAccount(terms);
  return { ...fees, ...readBids(terms) };
}

function readAuctionV3r3(data: Slice): AuctionState {
  skipProgress(data, 2);
  readAccount(data);
  data.skip(64);
  const fees = readFeesApart(data.refSlice(), data);
  const terms = data.refSlice();
  readAccount(terms);
  return { ...fees, ...readBids(terms) };
}

function readAuctionV4(data: Slice): AuctionState {
  skipProgress(data, 2);
  readAccount(data);
  data.skip(64);
  const shares = data.refSlice();
  const fees = readFeesApart(shares, shares);
  const terms = data.refSlice();
  readAccount(terms);
  return { ...fees, ...readBids(terms) };
}
