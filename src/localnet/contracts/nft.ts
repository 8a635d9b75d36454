import { type Address, beginCell, type Cell, Dictionary, type DictionaryValue } from '@ton/core';
import {
  beginBody,
  type ContractState,
  compiledCode,
  contractState,
  storeForward,
  type TransferOptions,
} from './contract.ts';

/** A new collection of NFTs or SBTs. */
export function nftCollection(options: {
  readonly owner: Address;
  readonly content: Cell;
  /** Common prefix of the items' content URLs. */
  readonly baseUri?: string;
  readonly royalty: {
    readonly numerator: number;
    readonly denominator: number;
    readonly destination: Address;
  };
  /** Default: the code of an ordinary item. */
  readonly itemCode?: Cell;
}): ContractState {
  const { numerator, denominator, destination } = options.royalty;
  const common = beginCell().storeStringTail(options.baseUri ?? '');
  const royalty = beginCell().storeUint(numerator, 16).storeUint(denominator, 16).storeAddress(destination);
  const data = beginCell()
    .storeAddress(options.owner)
    .storeUint(0, 64)
    .storeRef(beginCell().storeRef(options.content).storeRef(common))
    .storeRef(options.itemCode ?? compiledCode('nft-item'))
    .storeRef(royalty)
    .endCell();
  return contractState(compiledCode('nft-collection'), data);
}

/** Item of a collection by index. */
export function nftItem(options: {
  readonly collection: Address;
  readonly index: number | bigint;
  readonly itemCode?: Cell;
}): ContractState {
  const data = beginCell().storeUint(options.index, 64).storeAddress(options.collection).endCell();
  return contractState(options.itemCode ?? compiledCode('nft-item'), data);
}

/** Initial data of an item: owner and content, either full or as a URL suffix. */
export function newItem(owner: Address, content: Cell | string): Cell {
  const cell = typeof content === 'string' ? beginCell().storeStringTail(content).endCell() : content;
  return beginCell().storeAddress(owner).storeRef(cell).endCell();
}

const NEW_ITEM: DictionaryValue<{ readonly ton: bigint; readonly item: Cell }> = {
  serialize: ({ ton, item }, builder) => builder.storeCoins(ton).storeRef(item),
  parse: (slice) => ({ ton: slice.loadCoins(), item: slice.loadRef() }),
};

/** Mints several items. */
export function deployItems(
  items: ReadonlyMap<bigint, { readonly ton: bigint; readonly item: Cell }>,
  queryId?: bigint,
): Cell {
  const entries = Dictionary.empty(Dictionary.Keys.BigUint(64), NEW_ITEM);
  for (const [index, entry] of items) entries.set(index, entry);
  return beginBody(2, queryId).storeRef(beginCell().storeDict(entries)).endCell();
}

export function transferItem(options: TransferOptions): Cell {
  return beginBody(0x5fcc3d14, options.queryId)
    .storeAddress(options.to)
    .storeAddress(options.responseTo)
    .storeMaybeRef(options.customPayload)
    .store(storeForward(options))
    .endCell();
}

/** Shares of a price are in 1/1000 of a percent: 5000 are five percent. */
interface SaleTerms {
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
export function nftMarketplace(terms: Pick<SaleTerms, 'feeAddress' | 'feeShare'>): ContractState {
  const data = beginCell().storeAddress(terms.feeAddress).storeUint(terms.feeShare, 17);
  return contractState(compiledCode('nft-marketplace'), data.storeRef(compiledCode('nft-sale')).endCell());
}

/** Payload for sending an item to a marketplace; forward at least `LISTING_TON` with it. */
export function listItem(terms: Pick<SaleTerms, 'price' | 'royaltyAddress' | 'royaltyShare'>): Cell {
  const payload = beginCell().storeUint(0x6c697374, 32).storeCoins(terms.price);
  return payload.storeAddress(terms.royaltyAddress).storeUint(terms.royaltyShare, 17).endCell();
}

/** Value of a listing; the excess is returned to the seller. */
export const LISTING_TON = 100_000_000n;

/** Cost of a purchase or cancellation besides the price; the excess is returned. */
export const SALE_HANDLING_TON = 100_000_000n;
