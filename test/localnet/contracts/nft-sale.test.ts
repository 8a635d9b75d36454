import { type Address, toNano } from '@ton/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { textComment } from '../../../src/localnet/contracts/contract.ts';
import {
  LISTING_TON,
  listItem,
  newItem,
  nftCollection,
  nftItem,
  nftMarketplace,
  nftSale,
  SALE_HANDLING_TON,
  transferItem,
} from '../../../src/localnet/contracts/nft.ts';
import { cancelSale, changeSalePrice, deployItem, offChainContent } from '../support/contract-messages.ts';
import {
  addressOf,
  at,
  exitCode,
  hops,
  numberOf,
  type Person,
  type SmallChain,
  startSmallChain,
} from '../support/small-chain.ts';

const PRICE = toNano('10');
const TRANSFER = 0x5fcc3d14;

let net: SmallChain;
let artist: Person;
let seller: Person;
let buyer: Person;
let keeper: Person;
let item: Address;
let market: Address;
let sale: Address;

beforeAll(async () => {
  net = await startSmallChain();
  [artist, seller, buyer, keeper] = await net.people('artist', 'seller', 'buyer', 'keeper');
  const collection = nftCollection({
    owner: artist.address,
    content: offChainContent('https://example.test/c.json'),
    royalty: { numerator: 5, denominator: 100, destination: artist.address },
  });
  await net.send(artist, collection.address, toNano('0.5'), undefined, collection.init);
  const first = deployItem({ index: 0, ton: toNano('0.1'), item: newItem(seller.address, '0') });
  await net.send(artist, collection.address, toNano('0.2'), first);
  item = nftItem({ collection: collection.address, index: 0 }).address;
  const marketplace = nftMarketplace({ feeAddress: keeper.address, feeShare: 2_000 });
  market = marketplace.address;
  await net.send(keeper, market, toNano('0.5'), undefined, marketplace.init);
  sale = nftSale({
    item,
    seller: seller.address,
    marketplace: market,
    price: PRICE,
    feeAddress: keeper.address,
    feeShare: 2_000,
    royaltyAddress: artist.address,
    royaltyShare: 5_000,
    createdAt: net.chain.now!,
  }).address;
  net.save();
});

beforeEach(() => net.reset());

function list(
  forwardPayload = listItem({ price: PRICE, royaltyAddress: artist.address, royaltyShare: 5_000 }),
) {
  const body = transferItem({
    to: market,
    responseTo: seller.address,
    forwardTon: LISTING_TON,
    forwardPayload,
  });
  return net.send(seller, item, toNano('0.4'), body);
}

async function ownerOf(): Promise<string> {
  return addressOf((await net.get(item, 'get_nft_data'))[3]);
}

describe('an NFT marketplace', () => {
  it('lists an item: the sale is deployed and receives the item', async () => {
    const result = await list();
    expect(await ownerOf()).toBe(`${sale}`);
    expect(hops(result)).toContainEqual([`${sale}`, undefined]);
    expect(hops(result)).toContainEqual([`${item}`, TRANSFER]);
    // What listing did not cost came back, and the marketplace is no poorer.
    expect(await net.balance(market)).toBeGreaterThan(toNano('0.49'));
  });

  it('returns an item sent without sale terms', async () => {
    await list(textComment('what is this?'));
    expect(await ownerOf()).toBe(`${seller.address}`);
  });
});

describe('an NFT sale', () => {
  it('returns its data', async () => {
    await list();
    const stack = await net.get(sale, 'get_fix_price_data_v4');
    expect(stack).toHaveLength(13);
    const numbers = [0, 1, 5, 7, 9, 10, 11].map((index) => numberOf(stack[index]));
    expect(numbers).toEqual([0n, BigInt(net.chain.now!), PRICE, 2_000n, 5_000n, 0n, 0n]);
    const addresses = [2, 3, 4, 6, 8].map((index) => addressOf(stack[index]));
    expect(addresses).toEqual([market, item, seller.address, keeper.address, artist.address].map(String));
    expect(stack[12]).toEqual({ type: 'null' });
  });

  it.each([
    ['without a word', undefined],
    ['with a comment', textComment('I want it')],
  ])('sells to whoever pays the price %s', async (_, body) => {
    await list();
    const before = await Promise.all([seller, artist, keeper].map(({ address }) => net.balance(address)));
    const result = await net.send(buyer, sale, PRICE + SALE_HANDLING_TON, body);
    expect(await ownerOf()).toBe(`${buyer.address}`);
    const after = await Promise.all([seller, artist, keeper].map(({ address }) => net.balance(address)));
    // Those who are paid have the amount less the gas of their own wallets.
    const gains = after.map((balance, index) => Number(balance - before[index]!) / 1e9);
    expect(gains.map((gain) => Math.round(gain * 1000) / 1000)).toEqual([9.3, 0.5, 0.2]);
    const payout = at(result, seller.address)!.inMessage!.body.beginParse();
    expect([payout.loadUint(32), payout.loadStringTail()]).toEqual([0, 'NFT sold']);
    const stack = await net.get(sale, 'get_fix_price_data_v4');
    expect([numberOf(stack[0]), numberOf(stack[10])]).toEqual([-1n, BigInt(net.chain.now!)]);
    expect(exitCode(at(await net.send(buyer, sale, PRICE * 2n), sale))).toBe(404);
  });

  it('rejects too little, and any payment before it owns the item', async () => {
    await list();
    expect(exitCode(at(await net.send(buyer, sale, PRICE), sale))).toBe(450);
    const early = nftSale({
      item,
      seller: seller.address,
      marketplace: market,
      price: 1n,
      feeAddress: market,
      feeShare: 0,
      royaltyAddress: market,
      royaltyShare: 0,
      createdAt: 1,
    });
    await net.send(seller, early.address, toNano('0.1'), undefined, early.init);
    expect(exitCode(at(await net.send(buyer, early.address, PRICE), early.address))).toBe(459);
  });

  it('returns the item to its seller when the seller or the marketplace cancels', async () => {
    await list();
    expect(exitCode(at(await net.send(buyer, sale, toNano('0.2'), cancelSale()), sale))).toBe(458);
    await net.send(seller, sale, toNano('0.2'), cancelSale(9n));
    expect(await ownerOf()).toBe(`${seller.address}`);
    expect(numberOf((await net.get(sale, 'get_fix_price_data_v4'))[0])).toBe(-1n);
  });

  it('lets its seller change the price', async () => {
    await list();
    const body = changeSalePrice({ price: toNano('20'), fee: toNano('1'), royalty: toNano('2') });
    expect(exitCode(at(await net.send(buyer, sale, toNano('0.05'), body), sale))).toBe(458);
    await net.send(seller, sale, toNano('0.05'), body);
    const stack = await net.get(sale, 'get_fix_price_data_v4');
    expect([5, 7, 9].map((index) => numberOf(stack[index]))).toEqual([toNano('20'), 5_000n, 10_000n]);
  });
});
