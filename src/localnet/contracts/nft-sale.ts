import { type Address, beginCell, type Cell } from '@ton/core';
import { type ContractState, compiledCode, contractState } from './contract.ts';

/** Shares of a price are in 1/1000 of a percent: 5000 are five percent. */
export interface SaleTerms {
  readonly item: Address;
  readonly seller: Address;
  readonly marketplace: Address;
  readonly price: bigint;
  readonly feeAddress: Address;
  readonly feeShare: number;
  readonly royaltyAddress: Address;
  readonly royaltyShare: number;
  /** Unix time. */
  readonly createdAt: number;
}

/** Fixed-price sale of one item; it starts when it owns the item. */
export function nftSale(terms: SaleTerms): ContractState {
  const fixed = beginCell()
    .storeAddress(terms.feeAddress)
    .storeAddress(terms.royaltyAddress)
    .storeUint(terms.feeShare, 17)
    .storeUint(terms.royaltyShare, 17)
    .storeAddress(terms.item)
    .storeUint(terms.createdAt, 32);
  const data = beginCell()
    .storeBit(0)
    .storeAddress(terms.marketplace)
    .storeAddress(terms.seller)
    .storeCoins(terms.price)
    .storeUint(0, 32)
    .storeUint(0, 64)
    .storeRef(fixed)
    .storeBit(0)
    .endCell();
  return contractState(compiledCode('nft-sale'), data);
}

/** Marketplace: lists items that are sent to it with `listItem`. */
export function nftMarketplace(options: {
  readonly feeAddress: Address;
  readonly feeShare: number;
}): ContractState {
  const data = beginCell()
    .storeAddress(options.feeAddress)
    .storeUint(options.feeShare, 17)
    .storeRef(compiledCode('nft-sale'))
    .endCell();
  return contractState(compiledCode('nft-marketplace'), data);
}

/** Payload for sending an item to a marketplace; forward at least `LISTING_TON` with it. */
export function listItem(options: {
  readonly price: bigint;
  readonly royaltyAddress: Address;
  readonly royaltyShare: number;
}): Cell {
  return beginCell()
    .storeUint(0x6c697374, 32)
    .storeCoins(options.price)
    .storeAddress(options.royaltyAddress)
    .storeUint(options.royaltyShare, 17)
    .endCell();
}

/** Value of a listing; the excess is returned to the seller. */
export const LISTING_TON = 100_000_000n;

/** Cost of a purchase or cancellation besides the price; the excess is returned. */
export const SALE_HANDLING_TON = 100_000_000n;
