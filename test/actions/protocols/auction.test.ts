import { Address, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { actionsOf, summarizeActions, typesOf } from '../support/action-summaries.ts';
import { account, op, type Step, sent, text } from '../support/trace-builder.ts';

const [ALICE, BOB, CAROL, MARKET, AUCTION, ITEM, COLLECTION] = [
  'alice',
  'bob',
  'carol',
  'market',
  'auction',
  'item',
  'collection',
].map((name) => account(name)) as [string, string, string, string, string, string, string];
const at = (address: string) => Address.parseRaw(address);
const NFT = { asset: COLLECTION, asset_secondary: ITEM };
const items = { nftItems: { [ITEM]: { index: 4n, collection: COLLECTION } } };
/** Carol is the seller. */
const known = {
  ...items,
  nftAuctions: { [AUCTION]: { nft: ITEM, nftOwner: CAROL, marketplace: MARKET, lastBid: 80n } },
};

const transferTo = (to: string): Step => ({
  to: ITEM,
  body: op(0x5fcc3d14, 1n).storeAddress(at(to)).storeAddress(null).storeBit(0).storeCoins(7n).storeBit(0),
});
const payout = (to = CAROL): Step => ({ to, value: 60n, body: text('Profit') });

describe('an auction bid', () => {
  const outbid = (comment = 'Your bid has been outbid by another user.'): Step => ({
    to: BOB,
    value: 70n,
    body: text(comment),
  });
  const bid = (...sends: readonly Step[]): Step => ({ to: AUCTION, value: 80n, sends });

  it('is a transfer to an auction', () => {
    expect(summarizeActions(sent(ALICE, bid()), known)).toEqual([
      {
        type: 'auction_bid',
        success: true,
        source: ALICE,
        destination: AUCTION,
        value: 80n,
        ...NFT,
        nft_transfer_data: { nft_item_index: 4n, marketplace: 'getgems' },
        txs: 'tx0 tx1',
      },
    ]);
    expect(actionsOf(sent(ALICE, bid()), known)[0]?.accounts).toContain(ITEM);
    expect(summarizeActions(sent(ALICE, { ...bid(), aborted: true }), known)[0]).toMatchObject({
      success: false,
    });
  });

  it('is recognised if the NFT is unknown', () => {
    const [action] = summarizeActions(sent(ALICE, bid()), { nftAuctions: known.nftAuctions });
    expect(action).toMatchObject({ type: 'auction_bid', asset_secondary: ITEM });
    expect(action?.nft_transfer_data).toEqual({ marketplace: 'getgems' });
  });

  it('displaces the previous bid', () => {
    const trace = sent(ALICE, bid(outbid()));
    const actions = summarizeActions(trace, known);
    expect(typesOf(actions)).toEqual(['auction_bid', 'auction_outbid', 'auction_outbid/ton_transfer']);
    expect(actions[1]).toEqual({
      type: 'auction_outbid',
      success: true,
      source: AUCTION,
      source_secondary: ALICE,
      destination: BOB,
      amount: 70n,
      ...NFT,
      nft_transfer_data: { marketplace: 'getgems' },
      txs: 'tx1 tx2',
    });
    expect(actionsOf(trace, known)[1]?.accounts).toContain(ITEM);
  });

  it.each([
    ['nothing is said', [{ to: BOB, value: 70n }]],
    ['something else is said', [outbid('Thanks')]],
    ['two are displaced', [outbid(), outbid()]],
  ])('displaces no bid where %s', (_, steps) => {
    expect(typesOf(summarizeActions(sent(ALICE, bid(...steps)), known))).not.toContain('auction_outbid');
  });

  it('is not recognised at the start of an auction or for a command', () => {
    for (const step of [
      { deploys: true },
      ...['cancel', 'finish', 'stop'].map((word) => ({ body: text(word) })),
    ])
      expect(typesOf(summarizeActions(sent(ALICE, { to: AUCTION, ...step }), known))[0]).toBe('ton_transfer');
  });
});

describe('the end of an auction', () => {
  const END = { success: true, destination: AUCTION, ...NFT, txs: 'tx0 tx1' };

  it.each([
    ['finish', { body: text('finish') }],
    ['stop', { body: text('stop') }],
  ])('by the comment %s is a purchase beside it', (_, step) => {
    const trace = sent(BOB, { to: AUCTION, ...step, sends: [transferTo(ALICE), payout(), payout(MARKET)] });
    const actions = summarizeActions(trace, known);
    expect(typesOf(actions)).toEqual([
      'nft_finish_auction',
      'nft_finish_auction/ton_transfer',
      'ton_transfer',
      'nft_purchase',
      'nft_purchase/nft_transfer',
      'nft_purchase/ton_transfer',
    ]);
    expect(actions[0]).toEqual({ ...END, type: 'nft_finish_auction', source: ALICE, nft_transfer_data: {} });
    expect(actions[3]).toMatchObject({
      type: 'nft_purchase',
      source: AUCTION,
      destination: ALICE,
      ...NFT,
      txs: 'tx2 tx3',
      nft_transfer_data: {
        is_purchase: true,
        price: 80n,
        marketplace: 'getgems',
        marketplace_address: MARKET,
        real_prev_owner: CAROL,
        payout_amount: 60n,
        payout_comment: 'Profit',
      },
    });
  });

  it.each([
    ['stop', 0xb95616b6],
    ['finish', 0x20c9eb18],
  ])('by the call %s keeps the plain NFT transfer', (_, opcode) => {
    const trace = sent(BOB, { to: AUCTION, body: op(opcode, 1n), sends: [transferTo(ALICE), payout()] });
    expect(typesOf(summarizeActions(trace, known))).toEqual([
      'nft_finish_auction',
      'nft_finish_auction/call_contract',
      'nft_transfer',
      'ton_transfer',
    ]);
  });

  it.each([
    ['finish', { body: text('finish') }, 'nft_finish_auction'],
    ['stop', { body: op(0xb95616b6) }, 'nft_finish_auction'],
    ['cancel', { body: text('cancel') }, 'nft_cancel_auction'],
    ['a call to cancel', { body: op(0x5616c572) }, 'nft_cancel_auction'],
  ])('by %s returns the NFT', (_, step, type) => {
    const actions = summarizeActions(
      sent(CAROL, { to: AUCTION, ...step, sends: [transferTo(CAROL)] }),
      known,
    );
    expect(actions[0]).toEqual({
      ...END,
      type,
      source: CAROL,
      nft_transfer_data: { marketplace_address: MARKET },
    });
    expect(typesOf(actions.slice(1))).toContain('nft_transfer');
  });

  it('by a winning bid is a purchase', () => {
    const trace = sent(ALICE, { to: AUCTION, value: 80n, sends: [transferTo(ALICE), payout()] });
    expect(typesOf(summarizeActions(trace, known))).toEqual([
      'nft_purchase',
      'nft_purchase/nft_transfer',
      'nft_purchase/ton_transfer',
    ]);
  });

  it('is not recognised for other messages or contracts', () => {
    const cancel: Step = { to: AUCTION, body: text('cancel'), sends: [transferTo(CAROL)] };
    expect(typesOf(summarizeActions(sent(CAROL, cancel), items))).toEqual(['ton_transfer', 'nft_transfer']);
    const other = { ...items, nftAuctions: { [AUCTION]: { nft: MARKET, nftOwner: CAROL } } };
    expect(typesOf(summarizeActions(sent(CAROL, cancel), other))).not.toContain('nft_cancel_auction');
    const cancelSale: Step = { to: AUCTION, body: op(3), sends: [transferTo(CAROL)] };
    expect(typesOf(summarizeActions(sent(CAROL, cancelSale), known))).not.toContain('nft_cancel_sale');
  });

  it('works for an NFT without a collection', () => {
    const lone = { ...known, nftItems: { [ITEM]: { index: 4n } } };
    const [action] = summarizeActions(
      sent(CAROL, { to: AUCTION, body: text('cancel'), sends: [transferTo(CAROL)] }),
      lone,
    );
    expect(action).toMatchObject({ type: 'nft_cancel_auction', asset_secondary: ITEM });
    expect(action).not.toHaveProperty('asset');
  });
});

describe('a Telegram username', () => {
  const content = { uri: 'https://nft.fragment.com/username/durov.json' };
  const teleitem = { nftItems: { [ITEM]: { index: 4n, collection: COLLECTION, content } } };
  const done: Step = { to: ALICE, body: op(0xa37a0983, 1n) };
  const config = beginCell()
    .storeAddress(at(CAROL))
    .storeCoins(5n)
    .storeCoins(50n)
    .storeUint(5, 8)
    .storeUint(0, 64);
  const start: Step = { to: ITEM, body: op(0x487a8e81, 1n).storeRef(config), sends: [done] };
  const cancel: Step = { to: ITEM, body: op(0x371638ae, 1n), sends: [done] };

  it('is put up for auction by its owner', () => {
    const actions = summarizeActions(sent(ALICE, start), teleitem);
    expect(actions[0]).toEqual({
      type: 'teleitem_start_auction',
      success: true,
      source: ALICE,
      destination: ITEM,
      ...NFT,
      nft_transfer_data: {},
      nft_listing_data: {
        nft_item_index: 4n,
        marketplace: 'fragment',
        marketplace_fee_address: CAROL,
        min_bid: 5n,
        max_bid: 50n,
        mp_fee_factor: 0,
        mp_fee_base: 0,
        royalty_fee_base: 0,
      },
      txs: 'tx0 tx1 tx2',
    });
    expect(summarizeActions(sent(ALICE, { ...start, aborted: true, value: 0n }), teleitem)[0]).toMatchObject({
      type: 'teleitem_start_auction',
      success: false,
    });
  });

  it('has no terms if they are truncated', () => {
    const short = { ...start, body: op(0x487a8e81, 1n).storeRef(beginCell().storeAddress(at(CAROL))) };
    const [action] = summarizeActions(sent(ALICE, short), teleitem);
    expect(action).toMatchObject({ nft_listing_data: { min_bid: 0n, max_bid: 0n } });
    expect(action?.nft_listing_data).not.toHaveProperty('marketplace_fee_address');
    const none = { ...start, body: op(0x487a8e81, 1n) };
    expect(typesOf(summarizeActions(sent(ALICE, none), teleitem))).toEqual([
      'call_contract',
      'call_contract',
    ]);
  });

  it('is taken back from auction', () => {
    const actions = summarizeActions(sent(ALICE, cancel), teleitem);
    expect(actions[0]).toEqual({
      type: 'teleitem_cancel_auction',
      success: true,
      source: ALICE,
      destination: ITEM,
      ...NFT,
      nft_transfer_data: {},
      txs: 'tx0 tx1 tx2',
    });
  });

  it('accepts bids', () => {
    const outbid: Step = { to: BOB, value: 70n, body: op(0x557cea20, 1n) };
    const actions = summarizeActions(sent(ALICE, { to: ITEM, value: 80n, sends: [outbid] }), teleitem);
    expect(typesOf(actions)).toEqual(['auction_bid', 'auction_outbid', 'auction_outbid/call_contract']);
    expect(actions[0]).toMatchObject({ nft_transfer_data: { nft_item_index: 4n, marketplace: 'fragment' } });
    expect(typesOf(summarizeActions(sent(ALICE, { to: ITEM, value: 80n }), teleitem))).toEqual([
      'auction_bid',
    ]);
  });

  it('differs from other NFTs', () => {
    for (const step of [start, cancel])
      expect(typesOf(summarizeActions(sent(ALICE, step), items))).toEqual(['call_contract', 'call_contract']);
    expect(typesOf(summarizeActions(sent(ALICE, { to: ITEM, value: 80n }), items))).toEqual(['ton_transfer']);
  });
});
