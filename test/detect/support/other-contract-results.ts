import { type Address, beginCell, type Cell, Dictionary, type TupleItem } from '@ton/core';
import { address, cell, int, NULL, slice, somebody } from './stack-items.ts';

/** The address of the probed contract. */
export const SELF = somebody(1);
/** The multisig of an order, or the factory of pools. */
export const PARENT = somebody(2);
const [MARKET, NFT, SELLER, FEES, ROYALTIES, BIDDER, WALLET, JETTON] = [3, 4, 5, 6, 7, 8, 9, 10].map(
  somebody,
) as [Address, Address, Address, Address, Address, Address, Address, Address];
export const PEOPLE = { MARKET, NFT, SELLER, FEES, ROYALTIES, BIDDER, WALLET, JETTON };

type Methods = Readonly<Record<string, readonly TupleItem[]>>;

const PRICE = [int(5_000), address(FEES), int(50), address(ROYALTIES), int(25)];
const SALE = [int(0), int(1_700_000_000), address(MARKET), address(NFT), address(SELLER), ...PRICE];
const BIDS = [
  int(0),
  int(1_700_000_500),
  address(MARKET),
  address(NFT),
  address(SELLER),
  int(70),
  address(BIDDER),
  int(5),
  address(FEES),
  int(1),
  int(20),
  address(ROYALTIES),
  int(3),
  int(100),
  int(900),
  int(60),
  int(1_700_000_000),
  int(1_700_000_300),
  int(0),
];
const OF_JETTONS = [int(300), int(12), address(WALLET), address(JETTON), int(0), int(77)];

/** The get-method results of each kind of contract. */
export const OTHERS = {
  saleOld: { get_sale_data: [int(0x46495850), ...SALE] },
  saleV4: { get_fix_price_data_v4: [...SALE, int(1_700_000_900), int(11), cell(pricesOf([[JETTON, 500n]]))] },
  auctionOld: { get_sale_data: [int(0x415543), ...BIDS] },
  auctionV4: { get_auction_data_v4: [int(-1), ...BIDS, ...OF_JETTONS] },
  multisig: { get_multisig_data: [int(4), int(2), cell(listOf(MARKET, NFT)), cell(listOf(SELLER))] },
  order: {
    get_order_data: [
      address(PARENT),
      int(3),
      int(2),
      int(-1),
      cell(listOf(MARKET, NFT)),
      int(3),
      int(2),
      int(1_700_003_600),
      cell(beginCell().storeUint(1, 9).endCell()),
    ],
  },
  vesting: {
    get_vesting_data: [
      int(1_700_000_000),
      int(1000),
      int(100),
      int(200),
      int(10n ** 20n),
      address(SELLER),
      address(BIDDER),
      cell(whitelistOf(NFT, MARKET)),
    ],
  },
  nominators: {
    get_pool_data: [
      ...[2, 40, 10n ** 15n, 10n ** 13n, BigInt(`0x${SELLER.hash.toString('hex')}`), 3000, 40, 10, 20].map(
        int,
      ),
      NULL,
      NULL,
      ...[1_700_000_000, 5, 6, 7, 8].map(int),
      NULL,
    ],
  },
  pool: {
    get_assets: [slice(assetOf(null)), slice(assetOf(JETTON))],
    is_stable: [int(-1)],
    get_reserves: [int(1000), int(10n ** 40n)],
    get_trade_fee: [int(25), int(10_000)],
  },
  poolV2: {
    get_pool_data: [
      ...[2, 1, 0].map(int),
      address(null),
      address(JETTON),
      cell(beginCell().endCell()),
      cell(beginCell().endCell()),
      NULL,
      ...[30, 5000, 10n ** 30n].map(int),
      ...[1, 2, 3, 4, 5, 6, 7, 8].map(int),
    ],
  },
} as const satisfies Readonly<Record<string, Methods>>;

/** The multisig or the factory, which confirms the contract. */
export const AGREEING: Methods = { get_order_address: [address(SELF)], get_pool_address: [address(SELF)] };

/** Addresses by numbers of 8 bits, 0 and up. */
export function listOf(...addresses: readonly Address[]): Cell {
  const list = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address());
  for (const [index, entry] of addresses.entries()) list.set(index, entry);
  return beginCell().storeDictDirect(list).endCell();
}

/** What a pool keeps for nominators: hash, balance and pending deposit. */
export function nominatorsOf(...entries: readonly (readonly [Buffer, bigint, bigint])[]): Cell {
  const list = Dictionary.empty(Dictionary.Keys.Buffer(32), {
    serialize: ([balance, pending]: readonly [bigint, bigint], builder) => {
      builder.storeCoins(balance).storeCoins(pending);
    },
    parse: (): readonly [bigint, bigint] => [0n, 0n],
  });
  for (const [hash, balance, pending] of entries) list.set(hash, [balance, pending]);
  return beginCell().storeDictDirect(list).endCell();
}

/** Accounts as keys. */
export function whitelistOf(...addresses: readonly Address[]): Cell {
  const list = Dictionary.empty(Dictionary.Keys.Buffer(33), Dictionary.Values.BitString(0));
  const nothing = beginCell().endCell().bits;
  for (const { workChain, hash } of addresses)
    list.set(Buffer.concat([Buffer.of(workChain & 0xff), hash]), nothing);
  return beginCell().storeDictDirect(list).endCell();
}

/** Prices by jetton, each followed by the jetton wallet of the sale. */
export function pricesOf(prices: readonly (readonly [Address, bigint])[]): Cell {
  const list = Dictionary.empty<Buffer, bigint>(Dictionary.Keys.Buffer(32), {
    serialize: (price, builder) => void builder.storeCoins(price).storeAddress(WALLET),
    parse: (value) => value.loadCoins(),
  });
  for (const [{ hash }, price] of prices) list.set(hash, price);
  return beginCell().storeDictDirect(list).endCell();
}

/** An asset in the format of DeDust; null is TON. */
export function assetOf(jetton: Address | null): Cell {
  if (jetton === null) return beginCell().storeUint(0, 4).endCell();
  return beginCell().storeUint(1, 4).storeInt(jetton.workChain, 8).storeBuffer(jetton.hash).endCell();
}
