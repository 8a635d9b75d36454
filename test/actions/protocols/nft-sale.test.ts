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
import {
  cancelSale,
  changeSalePrice,
  deployItem,
  getStaticData,
  offChainContent,
} from '../../localnet/support/contract-messages.ts';
import { type Person, type SmallChain, startSmallChain } from '../../localnet/support/small-chain.ts';
import { actionsOf, summarizeActions, typesOf, withNames } from '../support/action-summaries.ts';
import type { KnownContracts } from '../support/known-contracts.ts';
import { raw, traceOfRun } from '../support/trace-of-run.ts';

const PRICE = toNano('10');

let net: SmallChain;
let artist: Person;
let seller: Person;
let buyer: Person;
let keeper: Person;
let collection: Address;
let item: Address;
let market: Address;
let sale: Address;
let known: KnownContracts;
let minted: Run;

beforeAll(async () => {
  net = await startSmallChain();
  [artist, seller, buyer, keeper] = await net.people('artist', 'seller', 'buyer', 'keeper');
  const works = nftCollection({
    owner: artist.address,
    content: offChainContent('https://example.test/c.json'),
    royalty: { numerator: 5, denominator: 100, destination: artist.address },
  });
  collection = works.address;
  await net.send(artist, collection, toNano('0.5'), undefined, works.init);
  item = nftItem({ collection, index: 0 }).address;
  const marketplace = nftMarketplace({ feeAddress: keeper.address, feeShare: 2_000 });
  market = marketplace.address;
  await net.send(keeper, market, toNano('0.5'), undefined, marketplace.init);
  const fees = { feeAddress: keeper.address, feeShare: 2_000 };
  const royalty = { royaltyAddress: artist.address, royaltyShare: 5_000 };
  const terms = { item, seller: seller.address, marketplace: market, price: PRICE, ...fees, ...royalty };
  sale = nftSale({ ...terms, createdAt: net.chain.now! }).address;
  known = {
    nftItems: { [raw(item)]: { index: 0n, collection: raw(collection) } },
    nftSales: {
      [raw(sale)]: {
        nft: raw(item),
        nftOwner: raw(seller.address),
        marketplace: raw(market),
        fullPrice: PRICE,
      },
    },
  };
  const body = deployItem({ index: 0, ton: toNano('0.1'), item: newItem(seller.address, '0') });
  minted = await net.send(artist, collection, toNano('0.2'), body);
  net.save();
});

beforeEach(() => net.reset());

type Run = Awaited<ReturnType<SmallChain['send']>>;

const classify = (run: Run) =>
  withNames(summarizeActions(traceOfRun(run), known), {
    artist: raw(artist.address),
    seller: raw(seller.address),
    buyer: raw(buyer.address),
    keeper: raw(keeper.address),
    collection: raw(collection),
    item: raw(item),
    market: raw(market),
    sale: raw(sale),
  });

const list = () =>
  net.send(
    seller,
    item,
    toNano('0.4'),
    transferItem({
      to: market,
      responseTo: seller.address,
      forwardTon: LISTING_TON,
      forwardPayload: listItem({ price: PRICE, royaltyAddress: artist.address, royaltyShare: 5_000 }),
    }),
  );

const NFT = { asset: 'collection', asset_secondary: 'item' };

describe('an NFT', () => {
  it('is minted', () => {
    const actions = classify(minted);
    expect(typesOf(actions)).toEqual(['call_contract', 'nft_mint', 'contract_deploy']);
    expect(actions[1]).toEqual({
      type: 'nft_mint',
      success: true,
      source: 'collection',
      destination: 'item',
      ...NFT,
      opcode: actions[2]?.opcode,
      nft_mint_data: { nft_item_index: 0n },
      txs: 'tx1 tx2',
    });
  });

  it('is transferred', async () => {
    const forward = { forwardTon: toNano('0.05'), forwardPayload: textComment('A gift') };
    const body = transferItem({ queryId: 3n, to: buyer.address, responseTo: seller.address, ...forward });
    const [transfer, ...others] = classify(await net.send(seller, item, toNano('0.2'), body));
    expect(others).toEqual([]);
    expect(transfer).toEqual({
      type: 'nft_transfer',
      success: true,
      source: 'seller',
      destination: 'buyer',
      ...NFT,
      nft_transfer_data: {
        query_id: 3n,
        is_purchase: false,
        nft_item_index: 0n,
        forward_amount: toNano('0.05'),
        response_destination: 'seller',
        forward_payload: textComment('A gift').toBoc().toString('base64'),
      },
      nft_listing_data: {},
      txs: 'tx0 tx1 tx2 tx3',
    });
  });

  it('is not transferred by a stranger', async () => {
    const body = transferItem({ to: buyer.address, responseTo: buyer.address });
    expect(classify(await net.send(buyer, item, toNano('0.2'), body))[0]).toMatchObject({
      type: 'nft_transfer',
      success: false,
      source: 'buyer',
      destination: 'buyer',
    });
  });

  it('reports its index and collection', async () => {
    const actions = classify(await net.send(buyer, item, toNano('0.2'), getStaticData(7n)));
    expect(actions[0]).toEqual({
      type: 'nft_discovery',
      success: true,
      source: 'buyer',
      ...NFT,
      txs: 'tx0 tx1 tx2',
      nft_transfer_data: { nft_item_index: 0n },
    });
    expect(typesOf(actions.slice(1))).toEqual(['nft_discovery/call_contract', 'nft_discovery/call_contract']);
  });
});

describe('an NFT sale', () => {
  it('starts when the NFT is sent to a marketplace', async () => {
    const actions = classify(await list());
    expect(actions[0]).toEqual({
      type: 'nft_put_on_sale',
      success: true,
      source: 'seller',
      source_secondary: 'market',
      destination: 'sale',
      ...NFT,
      nft_transfer_data: { marketplace_address: 'market' },
      nft_listing_data: {
        nft_item_index: 0n,
        full_price: PRICE,
        marketplace: 'getgems',
        marketplace_fee_address: 'keeper',
        royalty_address: 'artist',
      },
      txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7',
    });
    expect(typesOf(actions.slice(1))).toEqual([
      'nft_put_on_sale/nft_transfer',
      'nft_put_on_sale/ton_transfer',
      'nft_put_on_sale/nft_transfer',
      'contract_deploy',
    ]);
  });

  it('changes its price', async () => {
    await list();
    const body = changeSalePrice({ price: 900n, fee: 18n, royalty: 45n });
    const run = await net.send(seller, sale, toNano('0.2'), body);
    expect(classify(run)[0]).toEqual({
      type: 'nft_update_sale',
      success: true,
      source: 'seller',
      destination: 'sale',
      asset_secondary: 'item',
      nft_listing_data: { full_price: 900n, marketplace_fee: 18n, royalty_amount: 45n },
      nft_transfer_data: { marketplace_address: 'market' },
      txs: 'tx0 tx1',
    });
    expect(actionsOf(traceOfRun(run), known)[0]?.accounts).toContain(raw(item));
    expect(classify(await net.send(buyer, sale, toNano('0.2'), body))[0]).toMatchObject({
      type: 'nft_update_sale',
      success: false,
      source: 'buyer',
    });
  });

  it('is cancelled', async () => {
    await list();
    const run = await net.send(seller, sale, SALE_HANDLING_TON, cancelSale());
    const actions = classify(run);
    expect(actions[0]).toEqual({
      type: 'nft_cancel_sale',
      success: true,
      source: 'seller',
      destination: 'sale',
      ...NFT,
      txs: 'tx0 tx1',
      nft_transfer_data: { marketplace_address: 'market' },
    });
    expect(typesOf(actions.slice(1))).toEqual(['nft_cancel_sale/call_contract', 'nft_transfer']);
    expect(actionsOf(traceOfRun(run), known)[0]?.accounts).toContain(raw(item));
  });

  it('ends with a purchase', async () => {
    await list();
    const actions = classify(await net.send(buyer, sale, PRICE + SALE_HANDLING_TON));
    const [purchase] = actions;
    expect(purchase).toEqual({
      type: 'nft_purchase',
      success: true,
      source: 'sale',
      destination: 'buyer',
      ...NFT,
      nft_transfer_data: {
        query_id: expect.any(BigInt),
        is_purchase: true,
        price: PRICE,
        nft_item_index: 0n,
        forward_amount: toNano('0.001'),
        forward_payload: 'te6cckEBAQEAAgAAAEysuc0=',
        response_destination: 'buyer',
        real_prev_owner: 'seller',
        marketplace: 'getgems',
        marketplace_address: 'market',
        payout_amount: toNano('9.3'),
        payout_comment: 'NFT sold',
        payout_comment_encrypted: false,
        payout_comment_encoded: false,
      },
      txs: expect.stringMatching(/^tx0 tx1/),
    });
    const types = typesOf(actions.slice(1));
    expect(types.filter((one) => one.startsWith('nft_purchase/'))).toEqual([
      'nft_purchase/nft_transfer',
      'nft_purchase/ton_transfer',
    ]);
    // The marketplace and the artist are paid in addition.
    expect(types.filter((one) => one === 'ton_transfer')).toHaveLength(2);
  });

  it('is a plain transfer if the sale is not in the index', async () => {
    await list();
    const run = await net.send(buyer, sale, PRICE + SALE_HANDLING_TON);
    const types = typesOf(
      summarizeActions(traceOfRun(run), { ...(known.nftItems && { nftItems: known.nftItems }) }),
    );
    expect(types).toContain('nft_transfer');
    expect(types).not.toContain('nft_purchase');
  });
});
